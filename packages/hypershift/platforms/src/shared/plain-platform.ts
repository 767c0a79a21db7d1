import { guestSide } from '../guest.ts';
import type { Platform, PlatformTraits, PlatformType } from '../platform.ts';

/** Traits of a platform that asks for nothing special. */
export function traits(type: PlatformType, own: Partial<PlatformTraits> = {}): PlatformTraits {
  return {
    controlPlaneType: type,
    apiServerPort: 6443,
    privateRouter: false,
    managementKasPolicy: false,
    virtLaunchers: false,
    publishesOidcDocuments: false,
    bubbledConditions: [],
    ...own,
  };
}

/** A platform that needs nothing; others state their difference. */
export function plainPlatform(type: PlatformType, own: Partial<Omit<Platform, 'type'>> = {}): Platform {
  return {
    type,
    traits: traits(type),
    infrastructure: () => undefined,
    provider: () => undefined,
    policyRules: [],
    cloudTasks: [],
    sourceSecrets: () => [],
    credentials: () => [],
    credentialConditions: () => [],
    credentialsOutside: () => [],
    keyService: () => [],
    cloudProviderConfig: () => [],
    validate: () => [],
    isPrivate: () => false,
    flags: [],
    guest: guestSide(),
    ...own,
  };
}
