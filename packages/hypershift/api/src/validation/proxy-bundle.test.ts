import { createAuthority, issue } from '@hypershift-ts/kube-pki';
import { describe, expect, it } from 'vitest';
import { aHostedCluster } from '../testing/builders.ts';
import { unsupportedFields, validateHostedCluster, validProxyConfiguration } from './index.ts';

const now = Date.UTC(2026, 5, 1);
const day = 24 * 3600 * 1000;
const authority = await createAuthority({ subject: { commonName: 'proxy-ca' }, now, validFor: 30 * day });

describe('validProxyConfiguration', () => {
  it.each([
    ['there is no bundle', undefined, 0, 'True', 'passes validation'],
    [
      'all certificates are valid',
      `# ours\n${authority.certificatePem}${authority.certificatePem}`,
      0,
      'True',
      'passes',
    ],
    ['one has expired', authority.certificatePem, 31 * day, 'False', 'certificate 1 (CN=proxy-ca) expired'],
    ['the bundle holds nothing', 'hello', 0, 'False', 'holds no PEM encoded certificate'],
    [
      'a certificate is broken',
      '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----',
      0,
      'False',
      'cannot be parsed',
    ],
  ] as const)('When %s, it should be told', (_, bundle, later, status, message) => {
    const verdict = validProxyConfiguration(bundle, new Date(now + later));
    expect(verdict.status).toBe(status);
    expect(verdict.message).toContain(message);
  });
});

describe('names in serving certificates', () => {
  it('When the certificate in the Secret holds a name of the API server, it should be reported', async () => {
    const { certificatePem } = await issue(authority, {
      subject: { commonName: 'api' },
      role: 'server',
      now,
      dnsNames: ['api.example.com', 'kubernetes.default'],
    });
    const cluster = aHostedCluster({
      configuration: { apiServer: { servingCerts: { namedCertificates: [{ servingCertificate: { name: 'mine' } }] } } },
    });
    const secrets = new Map([['mine', { 'tls.crt': certificatePem }]]);
    expect(validateHostedCluster(cluster, { secrets }).map(({ message }) => message)).toEqual([
      expect.stringContaining('"kubernetes.default": conflicts'),
    ]);
    const exempt = {
      ...cluster,
      metadata: {
        ...cluster.metadata,
        annotations: { 'hypershift.openshift.io/skip-kas-conflict-san-validation': 'true' },
      },
    };
    expect(validateHostedCluster(exempt, { secrets })).toEqual([]);
  });
});

describe('unsupportedFields', () => {
  const cluster = aHostedCluster({
    platform: { type: 'AWS', aws: { region: 'us-east-1', endpointAccess: 'Private' } },
  });

  it.each([
    ['the operator has no credentials', {}, ['spec.platform.aws.endpointAccess']],
    ['the operator is elsewhere', { awsRegion: 'eu-west-1', hasAWSCredentials: true }, ['spec.platform.aws.region']],
    ['the operator is in the region', { awsRegion: 'us-east-1', hasAWSCredentials: true }, []],
  ])('When %s, it should name %s', (_, operator, fields) => {
    expect(unsupportedFields(cluster, operator).map(({ field }) => field)).toEqual(fields);
  });
});
