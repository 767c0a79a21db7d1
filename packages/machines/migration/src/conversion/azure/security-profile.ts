import type { AzureMachineProviderSpec } from '@hypershift-ts/machines-machine-api';
import type { azurev1beta1 } from '@hypershift-ts/machines-providers';
import type { Draft } from '../../wire/draft.ts';
import type { Findings } from '../findings.ts';

type OldProfile = NonNullable<AzureMachineProviderSpec['securityProfile']>;
type Profile = azurev1beta1.AzureMachineSpecSecurityProfile;

const places = { ConfidentialVM: 'confidentialVM', TrustedLaunch: 'trustedLaunch' } as const;
const isKnown = (type: string): type is keyof typeof places => Object.hasOwn(places, type);

const toBoolean = (policy: string | undefined) => (policy ? policy === 'Enabled' : undefined);
const toPolicy = (enabled: boolean | undefined) =>
  enabled === undefined ? undefined : enabled ? 'Enabled' : 'Disabled';

export function securityProfileToClusterApi(
  profile: OldProfile | undefined,
  path: string,
  findings: Findings,
): Draft<Profile> | undefined {
  if (!profile) return undefined;
  const { encryptionAtHost, settings = {} } = profile;
  const securityType = settings.securityType ?? '';
  findings.oneOf(`${path}.settings.securityType`, securityType, Object.keys(places));
  for (const [type, place] of Object.entries(places) as [keyof typeof places, 'confidentialVM' | 'trustedLaunch'][])
    if (settings[place] && type !== securityType)
      findings.invalid(`${path}.settings.${place}`, settings[place], `${place} needs securityType ${type}`);
  const uefi = isKnown(securityType) ? settings[places[securityType]]?.uefiSettings : undefined;
  const uefiPath = `${path}.settings.${isKnown(securityType) ? places[securityType] : ''}.uefiSettings`;
  for (const name of ['secureBoot', 'virtualizedTrustedPlatformModule'] as const)
    findings.oneOf(`${uefiPath}.${name}`, uefi?.[name], ['Enabled', 'Disabled']);
  return {
    encryptionAtHost,
    securityType,
    uefiSettings: uefi && {
      secureBootEnabled: toBoolean(uefi.secureBoot),
      vTpmEnabled: toBoolean(uefi.virtualizedTrustedPlatformModule),
    },
  };
}

export function securityProfileToMachineApi(
  profile: Profile | undefined,
  path: string,
  findings: Findings,
): Draft<OldProfile> | undefined {
  if (!profile) return undefined;
  const { encryptionAtHost, uefiSettings } = profile;
  const securityType: string = profile.securityType ?? '';
  findings.oneOf(`${path}.securityType`, securityType, Object.keys(places));
  if (uefiSettings && !isKnown(securityType))
    findings.invalid(
      `${path}.uefiSettings`,
      uefiSettings,
      'uefiSettings need securityType ConfidentialVM or TrustedLaunch',
    );
  const converted = uefiSettings && {
    uefiSettings: {
      secureBoot: toPolicy(uefiSettings.secureBootEnabled),
      virtualizedTrustedPlatformModule: toPolicy(uefiSettings.vTpmEnabled),
    },
  };
  return {
    encryptionAtHost,
    settings: { securityType, ...(isKnown(securityType) ? { [places[securityType]]: converted } : {}) },
  };
}
