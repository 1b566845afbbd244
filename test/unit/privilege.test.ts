import assert from 'node:assert/strict';
import { classify } from '../../src/engine/manifest/privilege';

/** The table of semantics 3, written out again. */
const TABLE: readonly (readonly [string, string])[] = [
  ['add_deploy_key', 'github_deploy_key'],
  ['create_deploy_key', 'github_deploy_key'],
  ['add_member', 'slack_add_member'],
  ['invite', 'slack_add_member'],
  ['grant_admin', 'workspace_admin'],
  ['change_role', 'workspace_admin'],
  ['invite_external', 'workspace_admin'],
  ['modify_org_policy', 'workspace_admin'],
  ['create_workspace_token', 'workspace_admin'],
];

describe('privilege', () => {
  for (const [leaf, actionClass] of TABLE) {
    it(`of ${leaf} is ${actionClass}`, () => {
      const expected = {
        privileged: true,
        privilege_classification: 'classified',
        action_class: actionClass,
      };
      for (const name of [leaf, `github.${leaf}`, `a.b.${leaf}`, `.${leaf}`]) {
        assert.deepEqual(classify(name), expected);
      }
    });

    it(`of what only looks like ${leaf} is unclassified`, () => {
      const expected = { privileged: false, privilege_classification: 'unclassified', action_class: null };
      for (const name of [
        `${leaf}.`,
        `${leaf}.x`,
        `x_${leaf}`,
        `${leaf}2`,
        leaf.toUpperCase(),
        ` ${leaf}`,
        `x/${leaf}`,
      ]) {
        assert.deepEqual(classify(name), expected, name);
      }
    });
  }

  it('of inherited names and of nothing is unclassified', () => {
    for (const name of ['', '.', '__proto__', 'constructor', 'x.toString']) {
      assert.equal(classify(name).privileged, false);
    }
  });
});
