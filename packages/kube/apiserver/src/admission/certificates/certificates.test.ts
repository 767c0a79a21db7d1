import { createRequest, generateKeys } from '@hypershift-ts/kube-pki';
import { beforeAll, describe, expect, it } from 'vitest';
import { allowed, type Authorizer, noOpinion } from '../../authorization/index.ts';
import type { Draft } from '../../kinds/behaviour.ts';
import { admit, aRequest } from '../testing/requests.ts';
import { certificateApproval, certificateSigning, certificateSubjectRestriction } from './index.ts';

const client = 'kubernetes.io/kube-apiserver-client';
const csr = (status: Draft = {}, spec: Draft = {}): Draft => ({
  apiVersion: 'certificates.k8s.io/v1',
  kind: 'CertificateSigningRequest',
  metadata: { name: 'one' },
  spec: { signerName: 'example.com/serving', ...spec },
  status,
});

/** Allows one verb on one signer. */
const only = (verb: string, signer: string): Authorizer => ({
  authorize: (asked) =>
    asked.verb === verb && asked.resource === 'signers' && asked.name === signer ? allowed : noOpinion,
});

describe('Certificate admission', () => {
  let masters = '';
  let developers = '';

  beforeAll(async () => {
    const keys = await generateKeys('P-256');
    const request = async (organization: string) =>
      Buffer.from(await createRequest({ subject: { commonName: 'x', organizations: [organization] }, keys })).toString(
        'base64',
      );
    masters = await request('system:masters');
    developers = await request('developers');
  });

  it.each([
    ['approve', 'example.com/serving', true],
    ['approve', 'example.com/*', true],
    ['approve', 'example.com/other', false],
    ['sign', 'example.com/serving', false],
  ])('When the user may %s %s, it should answer approval accordingly', async (verb, signer, fine) => {
    const request = aRequest({
      object: csr({ conditions: [{ type: 'Approved' }] }),
      old: csr(),
      subresource: 'approval',
    });
    const outcome = admit(certificateApproval(only(verb, signer)), request).then(
      () => 'fine',
      (error: Error) => error.message,
    );
    expect(await outcome).toBe(
      fine
        ? 'fine'
        : 'certificatesigningrequests.certificates.k8s.io "one" is forbidden: user not permitted to approve requests with signerName "example.com/serving"',
    );
  });

  it('When the status says nothing of a certificate, it should ask for no right to sign', async () => {
    const plugin = certificateSigning(only('sign', 'nobody.example.com/x'));
    await expect(admit(plugin, aRequest({ object: csr(), old: csr(), subresource: 'status' }))).resolves.toBeDefined();
    await expect(
      admit(plugin, aRequest({ object: csr({ certificate: 'eA==' }), old: csr(), subresource: 'status' })),
    ).rejects.toThrow('user not permitted to sign requests with signerName "example.com/serving"');
  });

  it('When a client certificate of system:masters is asked for, it should refuse', async () => {
    const ask = (request: string, signerName: string) =>
      admit(certificateSubjectRestriction, aRequest({ object: csr({}, { request, signerName }) }));
    await expect(ask(masters, client)).rejects.toThrow(
      `use of ${client} signer with system:masters group is not allowed`,
    );
    await expect(ask(developers, client)).resolves.toBeDefined();
    await expect(ask(masters, 'example.com/other')).resolves.toBeDefined();
  });
});
