import type { AdmissionPlugin } from '../admission.ts';

const seconds = 300;
const keys = ['node.kubernetes.io/not-ready', 'node.kubernetes.io/unreachable'];

/** Pods stay five minutes on a node that went silent, unless they say otherwise. */
export const defaultTolerations: AdmissionPlugin = {
  name: 'DefaultTolerationSeconds',
  handles: ({ resource, operation, subresource }) =>
    operation !== 'DELETE' && subresource === '' && resource.group === '' && resource.resource === 'pods',
  mutate({ object }) {
    const spec = object!['spec'];
    if (!spec) return;
    const tolerations: { key?: string; effect?: string; operator?: string }[] = spec.tolerations ?? [];
    const missing = keys.filter(
      (key) => !tolerations.some((one) => (!one.key || one.key === key) && (!one.effect || one.effect === 'NoExecute')),
    );
    if (missing.length === 0) return;
    spec.tolerations = [
      ...tolerations,
      ...missing.map((key) => ({ key, operator: 'Exists', effect: 'NoExecute', tolerationSeconds: seconds })),
    ];
  },
};
