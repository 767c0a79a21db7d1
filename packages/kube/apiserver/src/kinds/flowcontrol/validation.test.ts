import type { UnstructuredObject } from '@hypershift-ts/kube-apimachinery';
import { formatFieldError } from '@hypershift-ts/kube-apimachinery';
import { describe, expect, it } from 'vitest';
import type { Draft } from '../behaviour.ts';
import { flowControlKinds } from './index.ts';

function errorsOf(kind: string, name: string, spec: Draft): string[] {
  const object = { metadata: { name }, spec } as unknown as UnstructuredObject;
  return flowControlKinds[`${kind}.flowcontrol.apiserver.k8s.io`]!.validate!(object).map(formatFieldError);
}

const user = { kind: 'User', user: { name: 'u' } };
const resource = { verbs: ['get'], apiGroups: [''], resources: ['pods'], namespaces: ['*'] };
const schema = (rule: Draft) => ({
  priorityLevelConfiguration: { name: 'p' },
  matchingPrecedence: 100,
  rules: [{ subjects: [user], resourceRules: [resource], ...rule }],
});
const level = (limited: Draft) => ({ type: 'Limited', limited: { limitResponse: { type: 'Reject' }, ...limited } });
const queue = { queues: 8, handSize: 2, queueLengthLimit: 50 };

// The words of kube-apiserver 1.37.
describe('flow control', () => {
  it.each<[Draft, string[]]>([
    [{}, []],
    [{ subjects: [] }, ['spec.rules[0].subjects: Required value: subjects must contain at least one value']],
    [
      { subjects: [{ kind: 'User' }] },
      ["spec.rules[0].subjects[0].user: Required value: user is required when subject kind is 'User'"],
    ],
    [
      { resourceRules: [] },
      ['spec.rules[0]: Required value: at least one of resourceRules and nonResourceRules has to be non-empty'],
    ],
    [
      { resourceRules: [{ ...resource, namespaces: [] }] },
      [
        'spec.rules[0].resourceRules[0].namespaces: Required value: resource rules that are not cluster scoped must supply at least one namespace',
      ],
    ],
    [{ resourceRules: [{ ...resource, namespaces: [], clusterScope: true }] }, []],
    [
      { nonResourceRules: [{ verbs: ['get'], nonResourceURLs: ['x'] }] },
      ['spec.rules[0].nonResourceRules[0].nonResourceURLs[0]: Invalid value: "x": must start with slash'],
    ],
  ])('When a rule of a flow schema has %j, it should answer %j', (rule, expected) => {
    expect(errorsOf('flowschemas', 'f', schema(rule))).toEqual(expected);
  });

  it.each<[string, Draft, string[]]>([
    ['l', level({}), []],
    ['l', level({ limitResponse: { type: 'Queue', queuing: queue } }), []],
    ['exempt', { type: 'Exempt' }, []],
    [
      'l',
      { type: 'Exempt' },
      ["spec.type: Invalid value: \"Exempt\": must be 'Exempt' if and only if `name` is 'exempt'"],
    ],
    [
      'l',
      level({ lendablePercent: 101 }),
      ['spec.limited.lendablePercent: Invalid value: 101: must be between 0 and 100, inclusive'],
    ],
    ['l', level({ limitResponse: { type: 'Queue' } }), ['spec.limited.limitResponse.queuing: Required value']],
    [
      'l',
      level({ limitResponse: { type: 'Queue', queuing: { ...queue, handSize: 9 } } }),
      ['spec.limited.limitResponse.queuing.handSize: Invalid value: 9: should not be greater than queues (8)'],
    ],
  ])('When the priority level %s says %j, it should answer %j', (name, spec, expected) => {
    expect(errorsOf('prioritylevelconfigurations', name, spec)).toEqual(expected);
  });
});
