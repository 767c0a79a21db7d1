/** References to other objects, as Kubernetes and OpenShift write them. */
import { object, raw, string } from '../schema/index.ts';

export const localObjectReference = object(
  {
    name: string()
      .optional()
      .default('')
      .describe('Name of an object in the same namespace; an empty string refers to nothing.'),
  },
  { atomic: true },
);

export const nameReference = object({
  name: string().describe(
    'Name of the Secret or ConfigMap,',
    'looked up in the namespace of the HostedCluster and copied from there into the hosted cluster.',
  ),
});

export const secretNameReference = object({
  name: string({ minLength: 1, maxLength: 253 })
    .describe('Name of the Secret.')
    .rule(
      raw`self.matches('^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$')`,
      'name must consist only of lowercase alphanumeric characters, hyphens, and periods. Each period-separated segment must start and end with an alphanumeric character.',
    ),
});

export const configMapNameReference = object({
  name: string({ minLength: 1, maxLength: 253 })
    .describe('Name of the ConfigMap.')
    .rule(
      raw`self.matches('^[a-z0-9]([a-z0-9\\-]*[a-z0-9])?(\\.[a-z0-9]([a-z0-9\\-]*[a-z0-9])?)*$')`,
      "name must be a valid DNS subdomain name: contain no more than 253 characters, contain only lowercase alphanumeric characters, '-' or '.', and start and end with an alphanumeric character",
    ),
});

export const kubeconfigSecretReference = object({
  name: string({ maxLength: 255 }).describe('Name of the Secret that holds the kubeconfig.'),
  key: string({ maxLength: 255 }).describe('Key inside the Secret under which the kubeconfig is stored.'),
});
