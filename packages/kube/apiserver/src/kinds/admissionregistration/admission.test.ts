import { describe, expect, it } from 'vitest';
import type { KindBehaviour } from '../behaviour.ts';
import { cellsOf, created, faults } from '../testing/objects.ts';
import { admissionRegistrationKinds } from './index.ts';

const kind = (resource: string) =>
  admissionRegistrationKinds[`${resource}.admissionregistration.k8s.io`] as KindBehaviour;
const rule = { operations: ['CREATE'], apiGroups: ['apps'], apiVersions: ['v1'], resources: ['deployments'] };
const webhook = {
  name: 'check.example.com',
  sideEffects: 'None',
  admissionReviewVersions: ['v1'],
  clientConfig: { service: { name: 'hook', namespace: 'default' } },
  rules: [rule],
};
const policy = { spec: { matchConstraints: { resourceRules: [rule] }, validations: [{ expression: 'true' }] } };

describe('webhook configurations', () => {
  it('When a webhook is short, it should be completed', () => {
    expect(created(kind('mutatingwebhookconfigurations'), { webhooks: [webhook] })['webhooks']).toMatchObject([
      {
        failurePolicy: 'Fail',
        matchPolicy: 'Equivalent',
        namespaceSelector: {},
        objectSelector: {},
        timeoutSeconds: 10,
        reinvocationPolicy: 'Never',
        rules: [{ scope: '*' }],
        clientConfig: { service: { port: 443 } },
      },
    ]);
    expect(faults(kind('mutatingwebhookconfigurations'), { webhooks: [webhook] })).toEqual([]);
  });

  it.each<[object, string[]]>([
    [
      { name: 'hook' },
      ['webhooks[0].name: Invalid value: "hook": should be a domain with at least three segments separated by dots'],
    ],
    [{ sideEffects: undefined }, ['webhooks[0].sideEffects: Required value: must specify one of None, NoneOnDryRun']],
    [{ clientConfig: {} }, ['webhooks[0].clientConfig: Required value: exactly one of url or service is required']],
    [
      { clientConfig: { url: 'http://example.com/x' } },
      [
        'webhooks[0].clientConfig.url: Invalid value: "http": \'https\' is the only allowed URL scheme; desired format: https://host[/path]',
      ],
    ],
    [
      { timeoutSeconds: 31 },
      ['webhooks[0].timeoutSeconds: Invalid value: 31: the timeout value must be between 1 and 30 seconds'],
    ],
    [
      { rules: [{ ...rule, resources: ['*', 'pods'] }] },
      [
        'webhooks[0].rules[0].resources: Invalid value: ["*","pods"]: if \'*\' is present, must not specify other resources without subresources',
      ],
    ],
  ])('When a webhook is wrong, it should say how (%#)', (fields, expected) => {
    expect(faults(kind('validatingwebhookconfigurations'), { webhooks: [{ ...webhook, ...fields }] })).toEqual(
      expected,
    );
  });
});

describe('admission policies', () => {
  it('When a policy is short, it should be completed and pass', () => {
    expect(created(kind('validatingadmissionpolicies'), policy)['spec']).toMatchObject({
      failurePolicy: 'Fail',
      matchConstraints: {
        matchPolicy: 'Equivalent',
        namespaceSelector: {},
        objectSelector: {},
        resourceRules: [{ scope: '*' }],
      },
    });
    expect(faults(kind('validatingadmissionpolicies'), policy)).toEqual([]);
  });

  it('When a policy says nothing, it should ask for both lists', () => {
    expect(
      faults(kind('validatingadmissionpolicies'), { spec: { matchConstraints: { resourceRules: [rule] } } }),
    ).toEqual([
      'spec.validations: Required value: validations or auditAnnotations must contain at least one item',
      'spec.auditAnnotations: Required value: validations or auditAnnotations must contain at least one item',
    ]);
  });

  it('When a binding chooses no action, it should ask for one, unless the policy mutates', () => {
    const spec = { policyName: 'p' };
    expect(
      faults(kind('validatingadmissionpolicybindings'), { kind: 'ValidatingAdmissionPolicyBinding', spec }),
    ).toEqual(['spec.validationActions: Required value: at least one validation action is required']);
    expect(faults(kind('mutatingadmissionpolicybindings'), { kind: 'MutatingAdmissionPolicyBinding', spec })).toEqual(
      [],
    );
  });

  it('When policies are listed, it should show what parameterises them', () => {
    const spec = { validations: [{}, {}], paramKind: { apiVersion: 'v1', kind: 'ConfigMap' } };
    expect(cellsOf(kind('validatingadmissionpolicies'), { spec })).toEqual(['thing', 2, 'v1/ConfigMap', '10m']);
    expect(
      cellsOf(kind('validatingadmissionpolicybindings'), { spec: { policyName: 'p', paramRef: { name: 'x' } } }),
    ).toEqual(['thing', 'p', '*/x', '10m']);
  });
});
