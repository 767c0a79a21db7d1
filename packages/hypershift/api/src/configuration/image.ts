/** Registries the hosted cluster trusts and uses. */
import { nameReference } from '../common/references.ts';
import { boolean, enumOf, list, object, raw, string, type Rule } from '../schema/index.ts';

export const registryScopeFormat: Rule = {
  rule: raw`self.matches('^\\*(?:\\.(?:[a-zA-Z0-9]|[a-zA-Z0-9][a-zA-Z0-9-]*[a-zA-Z0-9]))+$|^((?:[a-zA-Z0-9]|[a-zA-Z0-9][a-zA-Z0-9-]*[a-zA-Z0-9])(?:(?:\\.(?:[a-zA-Z0-9]|[a-zA-Z0-9][a-zA-Z0-9-]*[a-zA-Z0-9]))+)?(?::[0-9]+)?)(?:(?:/[a-z0-9]+(?:(?:(?:[._]|__|[-]*)[a-z0-9]+)+)?)+)?$')`,
  message: 'each registry must be a valid hostname[:port][/path] or wildcard *.hostname format without tags or digests',
};

export const importRegistry = object({
  domainName: string().optional(),
  insecure: boolean().optional(),
});

export const registrySources = object({
  allowedRegistries: list(string({ minLength: 1, maxLength: 256 }).check(registryScopeFormat), {
    type: 'atomic',
    maxItems: 1024,
  }).optional(),
  blockedRegistries: list(string({ minLength: 1, maxLength: 256 }).check(registryScopeFormat), {
    type: 'atomic',
    maxItems: 1024,
  }).optional(),
  containerRuntimeSearchRegistries: list(string(), { type: 'set', minItems: 1 }).optional(),
  insecureRegistries: list(string({ minLength: 1, maxLength: 256 }).check(registryScopeFormat), {
    type: 'atomic',
    maxItems: 1024,
  }).optional(),
}).rule(
  'has(self.blockedRegistries) ? !has(self.allowedRegistries) : true',
  'Only one of blockedRegistries or allowedRegistries may be set',
);

export const imageConfiguration = object({
  additionalTrustedCA: nameReference.optional(),
  allowedRegistriesForImport: list(importRegistry, { type: 'atomic' }).optional(),
  externalRegistryHostnames: list(string(), { type: 'atomic' }).optional(),
  imageStreamImportMode: enumOf(['', 'Legacy', 'PreserveOriginal']).optional().gate('ImageStreamImportMode'),
  registrySources: registrySources.optional(),
});
