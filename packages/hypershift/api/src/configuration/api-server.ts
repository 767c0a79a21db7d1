/** How the kube-apiserver of the hosted cluster serves, audits and encrypts. */
import { configMapNameReference, nameReference } from '../common/references.ts';
import { emptyObject, enumOf, gated, list, object, raw, string } from '../schema/index.ts';

export const customTlsProfile = object({
  ciphers: list(string(), { type: 'atomic' })
    .optional()
    .describe('Cipher suites to offer, by OpenSSL name; ignored for TLS 1.3, whose suites are fixed.'),
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
    .gate('TLSGroupPreferences')
    .describe('Groups to offer for the key exchange, most wanted first; absent leaves the choice to the TLS library.'),
  minTLSVersion: enumOf(['VersionTLS10', 'VersionTLS11', 'VersionTLS12', 'VersionTLS13'])
    .optional()
    .describe('Oldest TLS version to accept.'),
}).describe('Cipher suites and versions of your own; a bad choice can lock clients out.');

export const tlsSecurityProfile = object({
  type: enumOf(['Old', 'Intermediate', 'Modern', 'Custom'])
    .optional()
    .describe(
      'Which profile holds: `Old` for ancient clients, `Intermediate` for most, `Modern` for TLS 1.3 only,',
      'or `Custom`. Absent means `Intermediate`.',
    ),
  custom: customTlsProfile.nullable().optional(),
  intermediate: emptyObject().nullable().optional().describe('Marks the profile for general use; it has no settings.'),
  modern: emptyObject()
    .nullable()
    .optional()
    .describe('Marks the profile that accepts TLS 1.3 alone; it has no settings.'),
  old: emptyObject()
    .nullable()
    .optional()
    .describe('Marks the profile for very old clients; it has no settings and weak security.'),
}).describe('TLS versions and ciphers that endpoints of the cluster offer.');

export const vaultAuthentication = object({
  type: enumOf(['AppRole']).describe('Method of logging in to Vault.'),
  appRole: object({
    secret: configMapNameReference.describe('Secret with the role and secret identifiers of the AppRole.'),
  })
    .optional()
    .describe('Login with an AppRole.'),
})
  .describe('How the key plugin logs in to Vault.')
  .rule(
    "self.type == 'AppRole' ? has(self.appRole) : !has(self.appRole)",
    'appRole config is required when authentication type is AppRole, and forbidden otherwise',
  );

export const vaultTls = object(
  {
    caBundle: configMapNameReference
      .optional()
      .describe(
        "ConfigMap with the certificate authorities that signed Vault's certificate;",
        'absent means those of the system.',
      ),
    serverName: string({ minLength: 1, maxLength: 253 })
      .optional()
      .describe("Name to expect in Vault's certificate when it differs from the host of the address.")
      .rule(
        raw`self.matches('^[a-z0-9]([a-z0-9\\-]*[a-z0-9])?(\\.[a-z0-9]([a-z0-9\\-]*[a-z0-9])?)*$')`,
        "serverName must be a valid DNS hostname: contain no more than 253 characters, contain only lowercase alphanumeric characters, '-' or '.', and start and end with an alphanumeric character",
      ),
  },
  { minProperties: 1 },
).describe('How the connection to Vault is verified.');

export const vaultKms = object({
  authentication: vaultAuthentication,
  kmsPluginImage: string({ minLength: 75, maxLength: 447 })
    .describe('Image of the plugin that talks to Vault, by digest.')
    .rule(
      "(self.split('@').size() == 2 && self.split('@')[1].matches('^sha256:[a-f0-9]{64}$'))",
      "the OCI Image reference must end with a valid '@sha256:<digest>' suffix, where '<digest>' is 64 characters long",
    )
    .rule(
      raw`(self.split('@')[0].matches('^([a-zA-Z0-9-]+\\.)+[a-zA-Z0-9-]+(:[0-9]{2,5})?(/[a-zA-Z0-9-_.]+)+$'))`,
      'the OCI Image name should follow the host[:port][/namespace]/name format, resembling a valid URL without the scheme. Short names are not allowed, the registry hostname must be included.',
    ),
  vaultAddress: string({ minLength: 1, maxLength: 512 })
    .describe('HTTPS address of Vault, without a path.')
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
    .describe('Path of the transit key, in the form `<mount>/keys/<name>`.')
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
    .describe('Vault namespace to log in to; absent means the one the key is in.')
    .rule("!self.endsWith('/')", 'vaultAuthNamespace cannot end with a forward slash')
    .rule("!self.contains(' ')", 'vaultAuthNamespace cannot contain spaces')
    .rule(
      "!(self in ['root', 'sys', 'audit', 'auth', 'cubbyhole', 'identity'])",
      'vaultAuthNamespace cannot be a reserved string (root, sys, audit, auth, cubbyhole, identity)',
    ),
  vaultNamespace: string({ minLength: 1, maxLength: 4096 })
    .optional()
    .describe('Vault namespace the key is in; absent means the root namespace.')
    .rule("!self.endsWith('/')", 'vaultNamespace cannot end with a forward slash')
    .rule("!self.contains(' ')", 'vaultNamespace cannot contain spaces')
    .rule(
      "!(self in ['root', 'sys', 'audit', 'auth', 'cubbyhole', 'identity'])",
      'vaultNamespace cannot be a reserved string (root, sys, audit, auth, cubbyhole, identity)',
    ),
}).describe('Encryption with a transit key in HashiCorp Vault.');

export const auditCustomRule = object({
  group: string({ minLength: 1 }).describe('User group whose requests the rule is for.'),
  profile: enumOf(['Default', 'WriteRequestBodies', 'AllRequestBodies', 'None']).describe(
    'How much of those requests is logged.',
  ),
});

export const auditPolicy = object({
  customRules: list(auditCustomRule, { type: 'map', keys: ['group'] })
    .optional()
    .describe(
      'Other profiles for single groups;',
      'the first rule whose group the user is in wins over the general profile.',
    ),
  profile: enumOf(['Default', 'WriteRequestBodies', 'AllRequestBodies', 'None'])
    .optional()
    .default('Default')
    .describe(
      'How much is logged: metadata only (`Default`), bodies of writes too, bodies of all requests,',
      'or nothing (`None`, which leaves you without evidence).',
    ),
}).describe('What the API server writes to its audit log.');

export const apiServerKms = object({
  type: enumOf(['Vault']).describe('Key service to use.'),
  vault: vaultKms.optional(),
})
  .describe('Key service that encrypts data, for type `KMS`.')
  .rule(
    "self.type == 'Vault' ? has(self.vault) : !has(self.vault)",
    'vault config is required when kms provider type is Vault, and forbidden otherwise',
  );

export const apiServerEncryption = object({
  type: enumOf(['', 'identity', 'aescbc', 'aesgcm', gated('KMSEncryption', 'KMS')])
    .optional()
    .describe(
      'Encryption that OpenShift itself would apply; empty or `identity` means none.',
      'A hosted cluster is encrypted by `spec.secretEncryption` instead.',
    ),
  kms: apiServerKms.optional().gate('KMSEncryption'),
})
  .describe('Encryption as stand-alone OpenShift configures it; for a hosted cluster use `spec.secretEncryption`.')
  .rule(
    "has(self.type) && self.type == 'KMS' ?  has(self.kms) : !has(self.kms)",
    'kms config is required when encryption type is KMS, and forbidden otherwise',
    { gate: 'KMSEncryption' },
  );

export const namedCertificate = object({
  names: list(string(), { type: 'atomic', maxItems: 64 })
    .optional()
    .describe('Host names the certificate is for; absent takes the names found in it.'),
  servingCertificate: nameReference.optional().describe('Secret with `tls.crt` and `tls.key`.'),
});

export const apiServerConfiguration = object({
  additionalCORSAllowedOrigins: list(string(), { type: 'atomic' })
    .optional()
    .describe('Further web origins browsers may call the API from, as regular expressions.'),
  audit: auditPolicy.optional().default({ profile: 'Default' }),
  clientCA: nameReference
    .optional()
    .describe('ConfigMap whose `ca-bundle.crt` holds further authorities for client certificates.'),
  encryption: apiServerEncryption.optional(),
  servingCerts: object({
    namedCertificates: list(namedCertificate, { type: 'atomic', maxItems: 32 })
      .optional()
      .describe(
        'Certificates for single host names, chosen by the name the client asks for;',
        'those the cluster uses inside are refused.',
      ),
  })
    .optional()
    .describe('Certificates the API server shows in addition to its own.'),
  tlsAdherence: enumOf(['LegacyAdheringComponentsOnly', 'StrictAllComponents'])
    .optional()
    .gate('TLSAdherence')
    .describe(
      'Whether only the components that always did follow the TLS profile or all of them;',
      'cannot be taken away once set.',
    ),
  tlsSecurityProfile: tlsSecurityProfile.optional(),
})
  .describe('How the API server serves, audits and encrypts.')
  .rule('has(oldSelf.tlsAdherence) ? has(self.tlsAdherence) : true', 'tlsAdherence may not be removed once set', {
    gate: 'TLSAdherence',
  });
