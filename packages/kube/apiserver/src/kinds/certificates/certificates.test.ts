import type { UnstructuredObject } from '@hypershift-ts/kube-apimachinery';
import { deepFreeze, formatFieldError } from '@hypershift-ts/kube-apimachinery';
import { createRequest, generateKeys } from '@hypershift-ts/kube-pki';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Draft } from '../behaviour.ts';
import { cellsOf, created, faults, scope } from '../testing/objects.ts';
import { prepareRequestApproval, validateRequestUpdate } from './index.ts';
import { certificateSigningRequest as csr } from './signing-request.ts';

let request = '';
beforeAll(async () => {
  const keys = await generateKeys();
  const pem = await createRequest({
    subject: { commonName: 'system:node:n1', organizations: ['system:nodes'] },
    keys,
  });
  request = Buffer.from(pem).toString('base64');
});

const aRequest = (fields: object = {}) => ({
  spec: { request, signerName: 'kubernetes.io/kube-apiserver-client', usages: ['client auth'], ...fields },
});
const approved = { type: 'Approved', status: 'True', reason: 'Test' };

describe('certificate signing requests', () => {
  it('When one is created, it should name the real requester, whatever was claimed', () => {
    const object = created(csr, aRequest({ username: 'root', groups: ['system:masters'] }));
    expect(object['spec']).toMatchObject({ username: 'alice', groups: ['system:authenticated'] });
    expect(faults(csr, aRequest())).toEqual([]);
  });

  it('When it is no request, it should say what it expected', () => {
    const [message] = faults(csr, aRequest({ request: Buffer.from('hello').toString('base64') }));
    expect(message).toContain('spec.request: Invalid value');
    expect(message).toContain('PEM block type must be CERTIFICATE REQUEST');
  });

  it.each<[object, string[]]>([
    [
      { signerName: 'nobody' },
      [
        'spec.signerName: Invalid value: "nobody": must be a fully qualified domain and path of the form \'example.com/signer-name\'',
      ],
    ],
    [{ signerName: '' }, ['spec.signerName: Required value']],
    [{ usages: [] }, ['spec.usages: Required value']],
    [
      { expirationSeconds: 10 },
      ['spec.expirationSeconds: Invalid value: 10: may not specify a duration less than 600 seconds (10 minutes)'],
    ],
  ])('When a field is wrong, it should say so (%#)', (fields, expected) => {
    expect(faults(csr, aRequest(fields))).toEqual(expected);
  });

  it('When it is approved, it should keep the spec and stamp the condition', () => {
    const old = deepFreeze(created(csr, aRequest()));
    const draft: Draft = { ...structuredClone(old), spec: {}, status: { conditions: [approved], certificate: 'eA==' } };
    prepareRequestApproval(draft, old, scope);
    const object = draft as UnstructuredObject;
    expect(object['spec']).toEqual(old['spec']);
    expect(object['status']).toEqual({
      conditions: [{ ...approved, lastUpdateTime: '2026-06-01T12:00:00Z', lastTransitionTime: '2026-06-01T12:00:00Z' }],
    });
    expect(validateRequestUpdate(object, old, { approval: true })).toEqual([]);
    const both = { ...object, status: { conditions: [approved, { ...approved, type: 'Denied' }] } };
    expect(validateRequestUpdate(both, old, { approval: true }).map(formatFieldError)).toEqual([
      'status.conditions: Invalid value: "Denied": Approved and Denied conditions are mutually exclusive',
    ]);
    expect(validateRequestUpdate(object, old).map(formatFieldError)).toEqual([
      'status.conditions: Forbidden: updates may not add a condition of type "Approved"',
    ]);
    expect(validateRequestUpdate(old, object, { approval: true }).map(formatFieldError)).toEqual([
      'status.conditions: Forbidden: updates may not remove a condition of type "Approved"',
    ]);
  });

  it.each([
    [{}, 'Pending'],
    [{ conditions: [approved] }, 'Approved'],
    [{ conditions: [approved], certificate: 'eA==' }, 'Approved,Issued'],
    [{ conditions: [{ type: 'Denied' }] }, 'Denied'],
  ])('When it is listed, it should show what became of it (%#)', (status, expected) => {
    expect(cellsOf(csr, { spec: { username: 'bob', expirationSeconds: 3600 }, status })).toEqual([
      'thing',
      '10m',
      '<none>',
      'bob',
      '60m',
      expected,
    ]);
  });
});
