/** References to other objects, as Kubernetes and OpenShift write them. */
import { object, raw, string } from '../schema/index.ts';

export const localObjectReference = object(
  {
    name: string().optional().default(''),
  },
  { atomic: true },
);

export const nameReference = object({
  name: string(),
});

export const secretNameReference = object({
  name: string({ minLength: 1, maxLength: 253 }).rule(
    raw`self.matches('^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$')`,
    'name must consist only of lowercase alphanumeric characters, hyphens, and periods. Each period-separated segment must start and end with an alphanumeric character.',
  ),
});

export const configMapNameReference = object({
  name: string({ minLength: 1, maxLength: 253 }).rule(
    raw`self.matches('^[a-z0-9]([a-z0-9\\-]*[a-z0-9])?(\\.[a-z0-9]([a-z0-9\\-]*[a-z0-9])?)*$')`,
    "name must be a valid DNS subdomain name: contain no more than 253 characters, contain only lowercase alphanumeric characters, '-' or '.', and start and end with an alphanumeric character",
  ),
});

export const kubeconfigSecretReference = object({
  name: string({ maxLength: 255 }),
  key: string({ maxLength: 255 }),
});
