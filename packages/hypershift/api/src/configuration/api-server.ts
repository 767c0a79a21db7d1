/** How the kube-apiserver of the hosted cluster serves, audits and encrypts. */
import { configMapNameReference, nameReference } from '../common/references.ts';
import { emptyObject, enumOf, gated, list, object, raw, string } from '../schema/index.ts';

export const customTlsProfile = object({
  ciphers: list(string(), { type: 'atomic' }).optional(),
  groups: list(
    enumOf([
      'X25519',
      'secp256r1',
      'secp384r1',
      'secp521r1',
      'X25519MLKEM768',
      'SecP256r1MLKEM768',
      'SecP384r1MLKEM1024',
    ]),
    { type: 'set', minItems: 1, maxItems: 7 },
  )
    .optional()
    .gate('TLSGroupPreferences'),
  minTLSVersion: enumOf(['VersionTLS10', 'VersionTLS11', 'VersionTLS12', 'VersionTLS13']).optional(),
});

export const tlsSecurityProfile = object({
  type: enumOf(['Old', 'Intermediate', 'Modern', 'Custom']).optional(),
  custom: customTlsProfile.nullable().optional(),
  intermediate: emptyObject().nullable().optional(),
  modern: emptyObject().nullable().optional(),
  old: emptyObject().nullable().optional(),
});

export const vaultAuthentication = object({
  type: enumOf(['AppRole']),
  appRole: object({
    secret: configMapNameReference,
  }).optional(),
}).rule(
  "self.type == 'AppRole' ? has(self.appRole) : !has(self.appRole)",
  'appRole config is required when authentication type is AppRole, and forbidden otherwise',
);

export const vaultTls = object(
  {
    caBundle: configMapNameReference.optional(),
    serverName: string({ minLength: 1, maxLength: 253 })
      .optional()
      .rule(
        raw`self.matches('^[a-z0-9]([a-z0-9\\-]*[a-z0-9])?(\\.[a-z0-9]([a-z0-9\\-]*[a-z0-9])?)*$')`,
        "serverName must be a valid DNS hostname: contain no more than 253 characters, contain only lowercase alphanumeric characters, '-' or '.', and start and end with an alphanumeric character",
      ),
  },
  { minProperties: 1 },
);

export const vaultKms = object({
  authentication: vaultAuthentication,
  kmsPluginImage: string({ minLength: 75, maxLength: 447 })
    .rule(
      "(self.split('@').size() == 2 && self.split('@')[1].matches('^sha256:[a-f0-9]{64}$'))",
      "the OCI Image reference must end with a valid '@sha256:<digest>' suffix, where '<digest>' is 64 characters long",
    )
    .rule(
      raw`(self.split('@')[0].matches('^([a-zA-Z0-9-]+\\.)+[a-zA-Z0-9-]+(:[0-9]{2,5})?(/[a-zA-Z0-9-_.]+)+$'))`,
      'the OCI Image name should follow the host[:port][/namespace]/name format, resembling a valid URL without the scheme. Short names are not allowed, the registry hostname must be included.',
    ),
  vaultAddress: string({ minLength: 1, maxLength: 512 })
    .rule('isURL(self)', 'must be a valid URL')
    .rule("isURL(self) && url(self).getScheme() == 'https'", "must use the 'https' scheme")
    .rule(
      "isURL(self) && (url(self).getEscapedPath() == '' || url(self).getEscapedPath() == '/')",
      'must not contain a path',
    )
    .rule('isURL(self) && url(self).getQuery() == {}', 'must not have a query')
    .rule("self.find('#(.+)$') == ''", 'must not have a fragment')
    .rule("self.find('@') == ''", 'must not have user info'),
  vaultKeyPath: string({ minLength: 8, maxLength: 1542 })
    .rule("!self.startsWith('/')", 'vaultKeyPath cannot start with a forward slash')
    .rule("!self.endsWith('/')", 'vaultKeyPath cannot end with a forward slash')
    .rule("!self.contains('//')", 'vaultKeyPath cannot contain consecutive forward slashes')
    .rule(
      "self.matches('^[a-zA-Z0-9._~/-]+$')",
      'vaultKeyPath must only contain RFC 3986 unreserved characters (alphanumeric, hyphen, period, underscore, tilde) and forward slashes',
    )
    .rule(
      "self.split('/').filter(s, s == '.' || s == '..').size() == 0",
      "vaultKeyPath must not contain '.' or '..' path segments",
    )
    .rule(
      "self.matches('^[a-zA-Z0-9._~-]+(/[a-zA-Z0-9._~-]+)*/keys/[a-zA-Z0-9_]([a-zA-Z0-9_.-]*[a-zA-Z0-9_])?$')",
      'vaultKeyPath must follow the format <mount>/keys/<key-name> where the key name starts and ends with an alphanumeric character or underscore and may contain alphanumeric characters, underscores, hyphens, and periods',
    ),
  tls: vaultTls.optional(),
  vaultAuthNamespace: string({ minLength: 1, maxLength: 4096 })
    .optional()
    .rule("!self.endsWith('/')", 'vaultAuthNamespace cannot end with a forward slash')
    .rule("!self.contains(' ')", 'vaultAuthNamespace cannot contain spaces')
    .rule(
      "!(self in ['root', 'sys', 'audit', 'auth', 'cubbyhole', 'identity'])",
      'vaultAuthNamespace cannot be a reserved string (root, sys, audit, auth, cubbyhole, identity)',
    ),
  vaultNamespace: string({ minLength: 1, maxLength: 4096 })
    .optional()
    .rule("!self.endsWith('/')", 'vaultNamespace cannot end with a forward slash')
    .rule("!self.contains(' ')", 'vaultNamespace cannot contain spaces')
    .rule(
      "!(self in ['root', 'sys', 'audit', 'auth', 'cubbyhole', 'identity'])",
      'vaultNamespace cannot be a reserved string (root, sys, audit, auth, cubbyhole, identity)',
    ),
});

export const auditCustomRule = object({
  group: string({ minLength: 1 }),
  profile: enumOf(['Default', 'WriteRequestBodies', 'AllRequestBodies', 'None']),
});

export const auditPolicy = object({
  customRules: list(auditCustomRule, { type: 'map', keys: ['group'] }).optional(),
  profile: enumOf(['Default', 'WriteRequestBodies', 'AllRequestBodies', 'None']).optional().default('Default'),
});

export const apiServerKms = object({
  type: enumOf(['Vault']),
  vault: vaultKms.optional(),
}).rule(
  "self.type == 'Vault' ? has(self.vault) : !has(self.vault)",
  'vault config is required when kms provider type is Vault, and forbidden otherwise',
);

export const apiServerEncryption = object({
  type: enumOf(['', 'identity', 'aescbc', 'aesgcm', gated('KMSEncryption', 'KMS')]).optional(),
  kms: apiServerKms.optional().gate('KMSEncryption'),
}).rule(
  "has(self.type) && self.type == 'KMS' ?  has(self.kms) : !has(self.kms)",
  'kms config is required when encryption type is KMS, and forbidden otherwise',
  { gate: 'KMSEncryption' },
);

export const namedCertificate = object({
  names: list(string(), { type: 'atomic', maxItems: 64 }).optional(),
  servingCertificate: nameReference.optional(),
});

export const apiServerConfiguration = object({
  additionalCORSAllowedOrigins: list(string(), { type: 'atomic' }).optional(),
  audit: auditPolicy.optional().default({ profile: 'Default' }),
  clientCA: nameReference.optional(),
  encryption: apiServerEncryption.optional(),
  servingCerts: object({
    namedCertificates: list(namedCertificate, { type: 'atomic', maxItems: 32 }).optional(),
  }).optional(),
  tlsAdherence: enumOf(['LegacyAdheringComponentsOnly', 'StrictAllComponents']).optional().gate('TLSAdherence'),
  tlsSecurityProfile: tlsSecurityProfile.optional(),
}).rule('has(oldSelf.tlsAdherence) ? has(self.tlsAdherence) : true', 'tlsAdherence may not be removed once set', {
  gate: 'TLSAdherence',
});
