/** What the classifier says of a tool (specification, "privilege_classification"). */
export type Privilege =
  | {
      readonly privileged: true;
      readonly privilege_classification: 'classified';
      readonly action_class: string;
    }
  | {
      readonly privileged: false;
      readonly privilege_classification: 'unclassified';
      readonly action_class: null;
    };

const ACTION_CLASSES: ReadonlyMap<string, string> = new Map([
  ['add_deploy_key', 'github_deploy_key'],
  ['create_deploy_key', 'github_deploy_key'],
  ['add_member', 'slack_add_member'],
  ['invite', 'slack_add_member'],
  ['grant_admin', 'workspace_admin'],
  ['change_role', 'workspace_admin'],
  ['invite_external', 'workspace_admin'],
  ['modify_org_policy', 'workspace_admin'],
  ['create_workspace_token', 'workspace_admin'],
]);

/** Classifies a tool by the part of its raw name after the last dot, exact match (semantics 3). */
export function classify(name: string): Privilege {
  const actionClass = ACTION_CLASSES.get(name.slice(name.lastIndexOf('.') + 1));
  return actionClass === undefined
    ? { privileged: false, privilege_classification: 'unclassified', action_class: null }
    : { privileged: true, privilege_classification: 'classified', action_class: actionClass };
}
