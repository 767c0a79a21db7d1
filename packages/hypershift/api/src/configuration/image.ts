/** Registries the hosted cluster trusts and uses. */
import { nameReference } from '../common/references.ts';
import { boolean, enumOf, list, object, raw, string, type Rule } from '../schema/index.ts';

export const registryScopeFormat: Rule = {
  rule: raw`self.matches('^\\*(?:\\.(?:[a-zA-Z0-9]|[a-zA-Z0-9][a-zA-Z0-9-]*[a-zA-Z0-9]))+$|^((?:[a-zA-Z0-9]|[a-zA-Z0-9][a-zA-Z0-9-]*[a-zA-Z0-9])(?:(?:\\.(?:[a-zA-Z0-9]|[a-zA-Z0-9][a-zA-Z0-9-]*[a-zA-Z0-9]))+)?(?::[0-9]+)?)(?:(?:/[a-z0-9]+(?:(?:(?:[._]|__|[-]*)[a-z0-9]+)+)?)+)?$')`,
  message: 'each registry must be a valid hostname[:port][/path] or wildcard *.hostname format without tags or digests',
};

export const importRegistry = object({
  domainName: string().optional().describe('Registry domain, with a port if it is not the usual one.'),
  insecure: boolean().optional().describe('Allows plain HTTP and unverified certificates.'),
});

export const registrySources = object({
  allowedRegistries: list(string({ minLength: 1, maxLength: 256 }).check(registryScopeFormat), {
    type: 'atomic',
    maxItems: 1024,
  })
    .optional()
    .describe(
      'Only these registries may be pulled from, so list those of the release too;',
      'not together with `blockedRegistries`.',
    ),
  blockedRegistries: list(string({ minLength: 1, maxLength: 256 }).check(registryScopeFormat), {
    type: 'atomic',
    maxItems: 1024,
  })
    .optional()
    .describe('Registries that may not be pulled from; not together with `allowedRegistries`.'),
  containerRuntimeSearchRegistries: list(string(), { type: 'set', minItems: 1 })
    .optional()
    .describe('Registries tried for image names without a host.'),
  insecureRegistries: list(string({ minLength: 1, maxLength: 256 }).check(registryScopeFormat), {
    type: 'atomic',
    maxItems: 1024,
  })
    .optional()
    .describe('Registries that may use plain HTTP or certificates nobody can verify.'),
})
  .describe('What the container runtime of the nodes may pull from where; a change replaces the nodes.')
  .rule(
    'has(self.blockedRegistries) ? !has(self.allowedRegistries) : true',
    'Only one of blockedRegistries or allowedRegistries may be set',
  );

export const imageConfiguration = object({
  additionalTrustedCA: nameReference
    .optional()
    .describe('ConfigMap with a certificate authority per registry, keyed by host name with `..` before the port.'),
  allowedRegistriesForImport: list(importRegistry, { type: 'atomic' })
    .optional()
    .describe('Registries ordinary users may import images from; empty allows all. Others can still be used in pods.'),
  externalRegistryHostnames: list(string(), { type: 'atomic' })
    .optional()
    .describe(
      'Host names under which the integrated registry is known outside; the first one is used in image streams.',
    ),
  imageStreamImportMode: enumOf(['', 'Legacy', 'PreserveOriginal'])
    .optional()
    .gate('ImageStreamImportMode')
    .describe(
      'Whether imports of multi-architecture images keep the whole list (`PreserveOriginal`) or one image of it (`Legacy`).',
    ),
  registrySources: registrySources.optional(),
}).describe('Registries the cluster may use and trust.');
