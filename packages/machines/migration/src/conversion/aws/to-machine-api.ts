import type { AWSMachineProviderConfig } from '@hypershift-ts/machines-machine-api';
import type { awsv1beta2 } from '@hypershift-ts/machines-providers';
import type { Draft } from '../../wire/draft.ts';
import { isClusterApiControlPlane } from '../control-plane.ts';
import type { Findings } from '../findings.ts';
import type { ProviderParts, ToMachineApi } from '../platform-conversion.ts';
import { tellOtherFamily } from './address-family.ts';
import { hostToMachineApi } from './dedicated-host.ts';
import { loadBalancersToMachineApi } from './load-balancers.ts';
import { metadataOptionsToMachineApi } from './metadata-options.ts';
import { awsStatusToMachineApi } from './status.ts';
import { tagsToMachineApi } from './tags.ts';
import { defaultCredentials } from './to-cluster-api.ts';
import { volumesToMachineApi } from './volumes.ts';

type AWSMachineSpec = awsv1beta2.AWSMachineSpec;
type Input = ToMachineApi<AWSMachineSpec, awsv1beta2.AWSCluster>;

const maxInt32 = 2 ** 31 - 1;

/** An AWSMachine as an AWSMachineProviderConfig. */
export function awsToMachineApi(
  input: Input,
): ProviderParts<Omit<Draft<AWSMachineProviderConfig>, 'apiVersion' | 'kind'>> {
  const { spec, machine, cluster, facts, findings, path } = input;
  refuse(spec, path, findings);
  tellOtherFamily(spec, facts, path, findings);
  const status = input.status as awsv1beta2.AWSMachineStatus | undefined;
  const region = cluster?.spec?.region;
  const zone = machine.spec.failureDomain;
  const profile = spec.iamInstanceProfile;
  const userData = machine.spec.bootstrap.dataSecretName;
  return {
    spec: {
      ami: { id: spec.ami?.id },
      instanceType: spec.instanceType,
      cpuOptions: spec.cpuOptions?.confidentialCompute
        ? { confidentialCompute: spec.cpuOptions.confidentialCompute }
        : undefined,
      tags: tagsToMachineApi(spec.additionalTags),
      iamInstanceProfile: profile ? { id: profile } : undefined,
      userDataSecret: userData ? { name: userData } : undefined,
      credentialsSecret: credentials(cluster, path, findings),
      keyName: spec.sshKeyName,
      deviceIndex: 0,
      publicIp: spec.publicIP,
      networkInterfaceType: networkInterfaceType(spec, path, findings),
      securityGroups: spec.additionalSecurityGroups,
      subnet: spec.subnet,
      placement: {
        region,
        availabilityZone: zone,
        tenancy: tenancy(spec, path, findings),
        host: hostToMachineApi(spec, path, findings),
      },
      loadBalancers: isClusterApiControlPlane(machine)
        ? loadBalancersToMachineApi(cluster?.spec, path, findings)
        : undefined,
      blockDevices: volumesToMachineApi(spec, path, findings),
      spotMarketOptions: spec.spotMarketOptions,
      metadataServiceOptions: metadataOptionsToMachineApi(spec.instanceMetadataOptions, path, findings),
      placementGroupName: spec.placementGroupName,
      placementGroupPartition: partition(spec, path, findings),
      capacityReservationId: spec.capacityReservationId,
      marketType: marketType(spec, path, findings),
    },
    status: awsStatusToMachineApi(status, spec.instanceID, facts.now),
    instanceType: spec.instanceType,
    region,
    zone,
    instanceState: status?.instanceState,
  };
}

function refuse(spec: AWSMachineSpec, path: string, findings: Findings): void {
  const { ami, ignition } = spec;
  if (ami?.eksLookupType)
    findings.invalid(
      `${path}.ami.eksOptimizedLookupType`,
      ami.eksLookupType,
      'eksOptimizedLookupType is not supported',
    );
  for (const name of ['proxy', 'tls'] as const)
    if (ignition?.[name])
      findings.invalid(`${path}.ignition.${name}`, ignition[name], `ignition ${name} is not supported`);
  if (spec.elasticIpPool)
    findings.invalid(`${path}.elasticIpPool`, spec.elasticIpPool, 'elasticIpPool is not supported');
  findings.unsupported(path, spec, {
    imageLookupFormat: 'imageLookupFormat is not supported',
    imageLookupOrg: 'imageLookupOrg is not supported',
    imageLookupBaseOS: 'imageLookupBaseOS is not supported',
    securityGroupOverrides: 'securityGroupOverrides are not supported',
    networkInterfaces: 'networkInterfaces are not supported',
    uncompressedUserData: 'uncompressedUserData is not supported',
    cloudInit: 'cloudInit is not supported',
    capacityReservationPreference: 'capacityReservationPreference is not supported',
  });
}

/** The Machine API has one set of credentials; only the identity that uses the same ones can be said there. */
function credentials(
  cluster: awsv1beta2.AWSCluster | undefined,
  path: string,
  findings: Findings,
): { readonly name: string } {
  const { kind = '', name = '' }: { readonly kind?: string; readonly name?: string } = cluster?.spec?.identityRef ?? {};
  if (kind !== '' && kind !== 'AWSClusterControllerIdentity')
    findings.invalid(
      `${path}.identityRef.kind`,
      kind,
      `kind ${JSON.stringify(kind)} cannot be converted to CredentialsSecret`,
    );
  if (name !== '' && name !== 'default')
    findings.invalid(
      `${path}.identityRef.name`,
      name,
      `name ${JSON.stringify(name)} must be "default" when using an AWSClusterControllerIdentity`,
    );
  return { name: defaultCredentials };
}

function networkInterfaceType(spec: AWSMachineSpec, path: string, findings: Findings): string {
  const known: { readonly [type: string]: string } = { '': '', interface: 'ENA', efa: 'EFA' };
  const type: string = spec.networkInterfaceType ?? '';
  if (!Object.hasOwn(known, type))
    findings.invalid(
      `${path}.networkInterfaceType`,
      type,
      'networkInterface type must be one of interface, efa or omitted, unsupported value',
    );
  return known[type] ?? '';
}

function tenancy(spec: AWSMachineSpec, path: string, findings: Findings): string {
  const value: string = spec.tenancy ?? '';
  if (!['', 'default', 'dedicated', 'host'].includes(value))
    findings.invalid(`${path}.tenancy`, value, 'unable to convert tenancy, unknown value');
  return value;
}

function marketType(spec: AWSMachineSpec, path: string, findings: Findings): string {
  const value: string = spec.marketType ?? '';
  if (!['', 'OnDemand', 'Spot', 'CapacityBlock'].includes(value))
    findings.invalid(`${path}.marketType`, value, 'unable to convert market type, unknown value');
  return value;
}

function partition({ placementGroupPartition: value }: AWSMachineSpec, path: string, findings: Findings) {
  if (!value || value < 0) return undefined;
  if (value > maxInt32)
    findings.invalid(`${path}.placementGroupPartition`, value, 'placementGroupPartition exceeds maximum int32 value');
  return value;
}
