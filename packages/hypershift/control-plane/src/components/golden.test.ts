import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { isEnabled } from '../framework/component.ts';
import { testContext, testRelease } from '../testing/context.ts';
import { rendered } from '../testing/rendered.ts';
import { clusterApi } from './cluster-api/component.ts';
import { controlPlaneOperator } from './control-plane-operator/component.ts';
import { controlPlaneComponentList } from './registry.ts';

const everything = [...controlPlaneComponentList, clusterApi, controlPlaneOperator];

/** Set to rewrite the files after a change that is meant; look at the difference before committing it. */
const rewriting = process.env['UPDATE_GOLDEN'] === '1';

const publish = (service: string) => ({
  service,
  servicePublishingStrategy: { type: 'Route', route: { hostname: `${service}.example.com` } },
});
/** Turns on everything that can be turned on. */
const fullSpec = {
  platform: {
    type: 'AWS',
    aws: {
      region: 'us-east-1',
      cloudProviderConfig: { vpc: 'vpc-1' },
      rolesRef: { nodePoolManagementARN: 'arn:aws:iam::123456789012:role/node-pools' },
    },
  },
  services: ['APIServer', 'OAuthServer', 'Konnectivity', 'Ignition'].map(publish),
  monitoring: { metricsForwarding: { mode: 'Forward' } },
  secretEncryption: { type: 'aescbc', aescbc: { activeKey: { name: 'key' } } },
};
const monitored = { conditions: [{ type: 'ClusterVersionAvailable', status: 'True' }] };
const variants = {
  'highly-available': testContext({
    release: await testRelease(undefined, 'registry'),
    platform: 'AWS',
    spec: fullSpec,
    annotations: {
      'hypershift.openshift.io/aws-termination-handler-queue-url': 'https://sqs.us-east-1.amazonaws.com/1/q',
    },
    status: monitored,
  }),
  'single-replica': testContext({ release: await testRelease(), availability: 'SingleReplica', status: monitored }),
};

describe.each(Object.entries(variants))('golden files, %s', (variant, context) => {
  it.each(everything.map((component) => [component.name, component] as const))(
    'When %s is rendered, it should be what the file says',
    (name, component) => {
      // What a platform or a choice rules out is not rendered for it; the other variant or its own test shows it.
      if (!isEnabled(component, context)) return;
      const file = fileURLToPath(new URL(`./${name}/golden/${variant}.json`, import.meta.url));
      const objects = JSON.stringify(rendered(component, context), null, 2);
      if (rewriting || !existsSync(file)) {
        if (!rewriting) throw new Error(`${name} has no golden file ${variant}; make it with UPDATE_GOLDEN=1`);
        mkdirSync(dirname(file), { recursive: true });
        writeFileSync(file, `${objects}\n`);
      }
      expect(JSON.parse(objects)).toEqual(JSON.parse(readFileSync(file, 'utf8')));
      expect(context.images.missing).toEqual([]);
    },
  );
});
