/** A failure a person can do something about; its message says what. */
export class HumanError extends Error {}
