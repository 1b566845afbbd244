/// <reference lib="dom" />
import assert from 'node:assert/strict';
import type { FrameLocator, Locator, Page } from 'playwright-core';
import { eventually } from './eventually';

const CONTAINER = 'MCP Manifest Review';
/** On busy machines a step of the workbench takes seconds; nothing but a failure ever waits this long. */
const PATIENCE_MS = 20_000;

/** A row of the tree as it is seen, and as a screen reader says it. */
export interface Row {
  readonly label: string;
  readonly description: string;
  readonly spoken: string;
  readonly level: number;
  /** Undefined for a row without rows below it. */
  readonly expanded: boolean | undefined;
  readonly selected: boolean;
  /** Whether the keyboard is at it. */
  readonly focused: boolean;
  /** The names of the row's icon and of any icon within its text. */
  readonly icons: readonly string[];
}

/** A row of the box at the top. */
export interface Choice {
  readonly label: string;
  readonly detail: string;
  readonly icons: readonly string[];
}

/** A window of the editor: what a user sees of it and does to it. */
export class Workbench {
  readonly reviews: ReviewsView;
  readonly problems: ProblemsPanel;
  readonly editor: EditorArea;
  readonly quickInput: QuickInput;
  readonly notifications: Notifications;

  constructor(readonly page: Page) {
    page.setDefaultTimeout(PATIENCE_MS);
    this.reviews = new ReviewsView(page);
    this.problems = new ProblemsPanel(page);
    this.editor = new EditorArea(page);
    this.quickInput = new QuickInput(page);
    this.notifications = new Notifications(page);
  }

  /** Resolves when the window can be used and the extension's icon is there. */
  async ready(): Promise<void> {
    await this.page.locator('.monaco-workbench .part.statusbar').waitFor();
    await this.reviews.icon.waitFor();
  }

  /** Runs a command by the keyboard. */
  async run(title: string): Promise<void> {
    await this.quickInput.open('F1');
    await this.quickInput.type(`>${title}`);
    await this.quickInput.accept(title);
  }

  /** Opens a file of the folder by the keyboard, and leaves the keyboard in it. */
  async openFile(name: string): Promise<void> {
    await this.quickInput.open('Control+p');
    await this.quickInput.type(name);
    await this.quickInput.accept(name);
    await this.editor.untilTitle(name);
    await this.editor.untilFocused();
  }

  async press(...keys: readonly string[]): Promise<void> {
    for (const key of keys) await this.page.keyboard.press(key);
  }

  /** What an item of the status bar says; undefined while it is not there. */
  async statusItem(id: string): Promise<string | undefined> {
    const item = this.page.locator(`.statusbar-item[id="${id}"]`);
    return (await item.count()) === 0 ? undefined : textOf(item);
  }
}

class ReviewsView {
  readonly icon: Locator;
  private readonly tree: Locator;

  constructor(private readonly page: Page) {
    const label = page.locator(`a.action-label[aria-label^="${CONTAINER}"]`);
    this.icon = page.locator('.activitybar .action-item').filter({ has: label });
    this.tree = page.locator('.part.sidebar .monaco-list[aria-label="Reviews"]');
  }

  /** The number on the icon; undefined when there is none. */
  async badge(): Promise<string | undefined> {
    const badge = this.icon.locator('.badge-content');
    return (await badge.isVisible()) ? textOf(badge) : undefined;
  }

  async untilBadge(value: string | undefined): Promise<void> {
    await eventually(async () => {
      assert.equal(await this.badge(), value);
    });
  }

  /** Opens the view by its icon; an icon that is active already would close it. */
  async open(): Promise<void> {
    if (!(await this.icon.getAttribute('class'))?.split(' ').includes('checked')) await this.icon.click();
    await this.page
      .locator('.part.sidebar .pane-header[aria-label^="Reviews"]')
      .waitFor({ state: 'attached' });
  }

  // The functions that run in the page hold no named function: the compiler would have them call a helper of its own.
  rows(): Promise<Row[]> {
    return this.tree.locator('.monaco-list-row').evaluateAll((elements) =>
      elements.map((element) => {
        const expanded = element.getAttribute('aria-expanded');
        const icons = element.querySelectorAll(
          '.custom-view-tree-node-item-resourceLabel .codicon:not(.action-label)',
        );
        return {
          label: element.querySelector('.label-name')?.textContent ?? '',
          description: element.querySelector('.label-description')?.textContent ?? '',
          spoken: element.getAttribute('aria-label') ?? '',
          level: Number(element.getAttribute('aria-level')),
          expanded: expanded === null ? undefined : expanded === 'true',
          selected: element.getAttribute('aria-selected') === 'true',
          focused: element.classList.contains('focused'),
          icons: [...icons].flatMap(({ classList }) =>
            [...classList].filter((name) => name.startsWith('codicon-')),
          ),
        };
      }),
    );
  }

  /** What a screen reader says of each row. */
  async spoken(): Promise<string[]> {
    return (await this.rows()).map(({ spoken }) => spoken);
  }

  async untilSpoken(...rows: readonly string[]): Promise<void> {
    await eventually(async () => {
      assert.deepEqual(await this.spoken(), rows);
    });
  }

  /** Resolves with the one row of this label once it is as described. */
  untilRow(label: string, wanted: Partial<Row> = {}): Promise<Row> {
    return eventually(async () => {
      const rows = (await this.rows()).filter((row) => row.label === label);
      assert.equal(rows.length, 1, `rows with the label ${label}`);
      const [row] = rows;
      assert.ok(row);
      assert.deepEqual({ ...row, ...wanted }, row);
      return row;
    });
  }

  /** Resolves when keys go to the tree. */
  async untilFocused(): Promise<void> {
    await this.page.locator('.part.sidebar .monaco-list[aria-label="Reviews"]:focus').waitFor();
  }

  async expand(label: string): Promise<void> {
    const { expanded } = await this.untilRow(label);
    if (expanded !== true) await this.row(label).locator('.monaco-tl-twistie').click();
    await this.untilRow(label, { expanded: true });
  }

  async click(label: string): Promise<void> {
    await this.untilRow(label);
    await this.row(label).locator('.label-name').click();
  }

  /** Presses a button that a row shows under the mouse. */
  async act(label: string, action: string): Promise<void> {
    await this.untilRow(label);
    await this.row(label).hover();
    await this.row(label).locator(`a.action-label[aria-label="${action}"]`).click();
  }

  async hover(label: string): Promise<void> {
    await this.row(label).locator('.label-name').hover();
  }

  /** The text that shows under the mouse, and the elements in it other than text. */
  async hovered(): Promise<{ text: string; elements: string[] }> {
    const hover = this.page.locator('.workbench-hover .hover-contents');
    return {
      text: (await hover.allInnerTexts()).join('\n'),
      elements: await hover.locator('*').evaluateAll((all) => all.map(({ tagName }) => tagName)),
    };
  }

  /** The line above the tree; empty when there is none. */
  async message(): Promise<string> {
    const message = this.page.locator('.part.sidebar .tree-explorer-viewlet-tree-view .message:not(.hide)');
    return (await message.allInnerTexts()).join('\n');
  }

  /** What stands in place of an empty tree. */
  async welcome(): Promise<{ text: string[]; buttons: string[] }> {
    const view = this.page.locator('.part.sidebar .welcome-view-content');
    return {
      text: await view.locator('p').allInnerTexts(),
      buttons: await view.locator('a.monaco-button').allInnerTexts(),
    };
  }

  private row(label: string): Locator {
    const name = this.page.locator('.label-name').filter({ hasText: new RegExp(`^${escapeRegExp(label)}$`) });
    return this.tree.locator('.monaco-list-row').filter({ has: name });
  }
}

class ProblemsPanel {
  private readonly rows: Locator;

  constructor(private readonly page: Page) {
    this.rows = page.locator('.markers-panel .monaco-list-row');
  }

  async open(): Promise<void> {
    if (!(await this.page.locator('.markers-panel').isVisible()))
      await this.page.keyboard.press('Control+Shift+m');
    await this.rows.first().waitFor();
  }

  /** Shows only entries with a text, as there is room for few. */
  async filter(text: string): Promise<void> {
    await this.page.locator('.panel input[aria-label="Filter Problems"]').fill(text);
  }

  /** What a screen reader says of each entry in sight. */
  spoken(): Promise<string[]> {
    return this.rows.evaluateAll((all) => all.map((row) => row.getAttribute('aria-label') ?? ''));
  }

  /** The messages in sight, with the icons and links inside them. */
  messages(): Promise<{ text: string; elements: string[] }[]> {
    return this.rows.locator('.marker-message').evaluateAll((all) =>
      all.map((message) => ({
        text: message.textContent,
        elements: [...message.querySelectorAll('a, .codicon')].map(({ outerHTML }) => outerHTML),
      })),
    );
  }

  /** Presses the link that the code of the first entry with this message is. */
  async pressCode(message: string): Promise<void> {
    await this.rows.filter({ hasText: message }).locator('a.monaco-link').first().click();
  }
}

class EditorArea {
  constructor(private readonly page: Page) {}

  /** The title of the active editor; empty when none is open. */
  async title(): Promise<string> {
    const parts = this.page.locator('.part.editor .tab.active').locator('.label-name, .label-suffix');
    return (await parts.allInnerTexts()).join('');
  }

  /** How many editors are open. */
  count(): Promise<number> {
    return this.page.locator('.part.editor .tab').count();
  }

  async untilTitle(title: string): Promise<void> {
    await eventually(async () => {
      assert.equal(await this.title(), title);
    });
  }

  /** Resolves when keys go to the active editor. */
  async untilFocused(): Promise<void> {
    await this.page.locator('.part.editor .editor-instance .monaco-editor.focused').waitFor();
  }

  async untilSaved(): Promise<void> {
    await this.page.locator('.part.editor .tab.active.dirty').waitFor({ state: 'hidden' });
  }

  async untilUnsaved(): Promise<void> {
    await this.page.locator('.part.editor .tab.active.dirty').waitFor();
  }

  /** The lines in sight; of a comparison those of one side. */
  async lines(side: 'original' | 'modified' | 'only' = 'only'): Promise<string[]> {
    const editor = side === 'only' ? '.editor-instance' : `.editor.${side}`;
    const lines = await this.page.locator(`.part.editor ${editor} .view-line`).allInnerTexts();
    return lines.map((line) => line.replaceAll('\u{A0}', ' '));
  }

  /** Where the cursor is, in the words of the status bar. */
  position(): Promise<string> {
    return textOf(this.page.locator('.statusbar-item[id="status.editor.selection"]'));
  }

  /** The rendered page of the active preview. */
  preview(): FrameLocator {
    return this.page.frameLocator('iframe.webview.ready').frameLocator('#active-frame');
  }
}

/** The box at the top: commands, files and questions. */
class QuickInput {
  private readonly box: Locator;

  constructor(private readonly page: Page) {
    this.box = page.locator('.quick-input-widget:visible');
  }

  async open(key: string): Promise<void> {
    await this.page.keyboard.press(key);
    await this.box.waitFor();
  }

  async type(text: string): Promise<void> {
    await this.box.locator('input.input').fill(text);
  }

  async title(): Promise<string> {
    return textOf(this.box.locator('.quick-input-title'));
  }

  rows(): Promise<Choice[]> {
    return this.box.locator('.monaco-list-row').evaluateAll((all) =>
      all.map((row) => {
        const icons = row.querySelectorAll('.quick-input-list-rows .codicon');
        return {
          label: row.querySelector('.label-name')?.textContent.trim() ?? '',
          detail: row.querySelector('.quick-input-list-label-meta .label-name')?.textContent.trim() ?? '',
          icons: [...icons].flatMap(({ classList }) =>
            [...classList].filter((name) => /^codicon-(?!colored$)/.test(name)),
          ),
        };
      }),
    );
  }

  /** Waits until there is a row with this label. */
  async untilOffered(label: string): Promise<void> {
    await eventually(async () => {
      assert.ok((await this.rows()).some((row) => row.label === label));
    });
  }

  /** Waits for a suggestion in the input. */
  async untilValue(pattern: RegExp): Promise<void> {
    await eventually(async () => {
      assert.match(await this.box.locator('input.input').inputValue(), pattern);
    });
  }

  /** Presses Enter once the row that it takes begins with this label. */
  async accept(label: string): Promise<void> {
    const row = this.box.locator('.monaco-list-row.focused .quick-input-list-rows');
    await row.filter({ hasText: new RegExp(`^\\s*${escapeRegExp(label)}`) }).waitFor();
    await this.page.keyboard.press('Enter');
  }

  /** Waits for a question and gives the labels and details of its answers. */
  question(title: string): Promise<Choice[]> {
    return eventually(async () => {
      assert.equal(await this.title(), title);
      const rows = await this.rows();
      assert.ok(rows.length > 0);
      return rows;
    });
  }

  async cancel(): Promise<void> {
    await this.page.keyboard.press('Escape');
    await this.untilClosed();
  }

  async untilClosed(): Promise<void> {
    await this.box.waitFor({ state: 'hidden' });
  }
}

class Notifications {
  private readonly recorded: string[] = [];

  constructor(private readonly page: Page) {}

  /** Records every notification of the window from its start, however briefly it shows. */
  async record(): Promise<void> {
    await this.page.exposeFunction('recordNotification', (text: string) => this.recorded.push(text));
    await this.page.addInitScript(watchNotifications);
  }

  /** All notifications so far, in their order. */
  all(): readonly string[] {
    return [...this.recorded];
  }

  /** Resolves when an error with this text has come up. */
  async untilError(text: string): Promise<void> {
    const toast = this.page.locator('.notifications-toasts .notification-list-item', { hasText: text });
    await toast.locator('.codicon-error').waitFor();
    await eventually(() => {
      assert.ok(this.recorded.some((message) => message.includes(text)));
    });
  }
}

/** Runs in the page. */
function watchNotifications(): void {
  const seen = new WeakSet<Element>();
  new MutationObserver(() => {
    for (const message of document.querySelectorAll(
      '.notifications-toasts .notification-list-item-message',
    )) {
      if (seen.has(message) || message.textContent === '') continue;
      seen.add(message);
      const { recordNotification } = window as unknown as { recordNotification: (text: string) => void };
      recordNotification(message.textContent);
    }
  }).observe(document, { subtree: true, childList: true, characterData: true });
}

async function textOf(locator: Locator): Promise<string> {
  return (await locator.innerText()).replaceAll('\u{A0}', ' ').trim();
}

function escapeRegExp(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
}
