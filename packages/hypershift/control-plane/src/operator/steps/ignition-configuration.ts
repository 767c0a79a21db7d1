import { coreConfigMaps, imageContentSourceConfigMap } from '@hypershift-ts/hypershift-ignition';
import { corev1 } from '@hypershift-ts/kube-apimachinery';
import { done, type Step } from '@hypershift-ts/kube-controller';
import { runsIgnitionServer } from '../../framework/cluster-facts.ts';
import { componentContext, type Pass } from '../pass.ts';
import { ensureGone, ensureOwned } from './ensure.ts';
import { unlessSettled } from './settled-step.ts';

const sshKeyField = 'id_rsa.pub';

/** The parts of a machine's configuration that every node pool includes. */
export const ignitionConfiguration: Step<Pass> = {
  name: 'ignition-configuration',
  kind: 'best-effort',
  async run(pass) {
    if (!runsIgnitionServer(componentContext(pass))) return done();
    await unlessSettled(pass, 'ignition-configuration', async (seen) => ({ result: await writeConfigMaps(seen) }));
    return done();
  },
};

async function writeConfigMaps(pass: Pass): Promise<void> {
  const { fips = false, imageContentSources = [] } = pass.hcp.spec;
  const wanted = coreConfigMaps({ namespace: pass.namespace, fips, sshKey: sshKeyOf(pass), imageContentSources });
  for (const { metadata, data } of wanted) {
    const { name = '', labels = {} } = metadata;
    await ensureOwned(pass, corev1.configmaps, { name, labels, body: { data } });
  }
  if (!wanted.some(({ metadata }) => metadata.name === imageContentSourceConfigMap)) {
    await ensureGone(pass, corev1.configmaps, imageContentSourceConfigMap);
  }
}

function sshKeyOf({ hcp, lookup }: Pass): string {
  const { name } = hcp.spec.sshKey;
  if (!name) return '';
  const secret = lookup.get(corev1.secrets, name);
  const key = secret?.data?.[sshKeyField];
  if (key === undefined) {
    throw new Error(
      secret
        ? `Secret ${name} of spec.sshKey lacks the key ${sshKeyField}`
        : `Secret ${name} of spec.sshKey does not exist; the HyperShift operator copies it from the user`,
    );
  }
  return Buffer.from(key, 'base64').toString('utf8');
}
