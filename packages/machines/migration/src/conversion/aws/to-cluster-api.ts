import type { AWSMachineProviderConfig, AWSResourceReference } from '@hypershift-ts/machines-machine-api';
import type { awsv1beta2 } from '@hypershift-ts/machines-providers';
import type { Draft } from '../../wire/draft.ts';
import { isControlPlane } from '../control-plane.ts';
import type { Findings } from '../findings.ts';
import type { InfraParts, ToClusterApi } from '../platform-conversion.ts';
import { addressFamily } from './address-family.ts';
import { hostToClusterApi } from './dedicated-host.ts';
import { awsStatusToClusterApi } from './status.ts';
import { volumesToClusterApi } from './volumes.ts';

type Spec = AWSMachineProviderConfig;
type AWSMachineSpec = awsv1beta2.AWSMachineSpec;
type Input = ToClusterApi<Spec, awsv1beta2.AWSCluster>;

export const defaultCredentials = 'aws-cloud-credentials';

/** An AWSMachineProviderConfig as an AWSMachine. */
export function awsToClusterApi(input: Input): InfraParts<Draft<AWSMachineSpec>> {
  const { spec, machine, facts, findings, path } = input;
  refuse(input);
  const providerID = machine.spec.providerID || undefined;
  return {
    spec: {
      providerID,
      instanceID: instanceID(providerID, findings),
      instanceMetadataOptions: metadataOptions(spec, path, findings),
      ami: image(spec.ami, path, findings),
      instanceType: spec.instanceType,
      cpuOptions: { confidentialCompute: spec.cpuOptions?.confidentialCompute },
      additionalTags: spec.tags && Object.fromEntries(spec.tags.map(({ name, value }) => [name, value])),
      iamInstanceProfile: instanceProfile(spec.iamInstanceProfile, path, findings),
      publicIP: spec.publicIp,
      additionalSecurityGroups: spec.securityGroups?.map((group, index) =>
        reference(group, `${path}.securityGroups[${index}]`, findings),
      ),
      subnet: reference(spec.subnet ?? {}, `${path}.subnet`, findings),
      sshKeyName: spec.keyName,
      ...volumesToClusterApi(spec.blockDevices, `${path}.blockDevices`, findings),
      networkInterfaceType: networkInterfaceType(spec, path, findings),
      // The user data of OpenShift is small; a bucket for it would need rights that machines do not have.
      ignition: { storageType: 'UnencryptedUserData' },
      spotMarketOptions: spec.spotMarketOptions,
      placementGroupName: spec.placementGroupName,
      placementGroupPartition: spec.placementGroupPartition,
      tenancy: spec.placement?.tenancy,
      ...addressFamily(facts),
      capacityReservationId: spec.capacityReservationId || undefined,
      marketType: spec.marketType,
      ...hostToClusterApi(spec.placement?.host, `${path}.placement.host`, findings),
    },
    status: awsStatusToClusterApi(machine.status, spec.spotMarketOptions !== undefined, facts.now),
    failureDomain: spec.placement?.availabilityZone,
    userDataSecret: spec.userDataSecret?.name,
  };
}

function refuse({ spec, machine, facts, findings, path }: Input): void {
  findings.unsupported(path, spec, {
    metadata: 'metadata is not supported',
    deviceIndex: 'deviceIndex must be 0 or unset',
    ...(isControlPlane(machine)
      ? {}
      : { loadBalancers: 'loadBalancers are not supported for non-control plane machines' }),
  });
  const region = facts.infrastructure.platformStatus?.aws?.region;
  if (region && spec.placement?.region !== region)
    findings.invalid(
      `${path}.placement.region`,
      spec.placement?.region ?? '',
      `placement.region should match infrastructure status value "${region}"`,
    );
  const secret = spec.credentialsSecret;
  if (secret && secret.name !== defaultCredentials)
    findings.invalid(
      `${path}.credentialsSecret`,
      secret.name ?? '',
      `credential secret does not match the default of "${defaultCredentials}", manual conversion is necessary. Please see https://access.redhat.com/articles/7116313 for more details.`,
    );
  if (!['', 'OnDemand', 'Spot', 'CapacityBlock'].includes(spec.marketType ?? ''))
    findings.invalid(`${path}.marketType`, spec.marketType, 'unable to convert market type, unknown value');
}

/** The id of the instance: what follows `i-` in the last part of `aws:///us-east-1a/i-0123456789abcdef0`. */
function instanceID(providerID: string | undefined, findings: Findings): string | undefined {
  if (!providerID) return undefined;
  const found = /i-[^/]*$/.exec(providerID)?.[0];
  if (!found) findings.invalid('spec.providerID', providerID, 'unable to find InstanceID in ProviderID');
  return found;
}

function image(ami: AWSResourceReference = {}, path: string, findings: Findings): Draft<awsv1beta2.AWSMachineSpecAmi> {
  if (ami.id !== undefined) return { id: ami.id };
  if (ami.arn !== undefined)
    findings.invalid(`${path}.ami.arn`, ami.arn, 'unable to convert AMI ARN reference. Not supported in CAPI');
  else if (ami.filters?.length)
    findings.invalid(
      `${path}.ami.filters`,
      ami.filters,
      'unable to convert AMI Filters reference. Not supported in CAPI',
    );
  else findings.invalid(`${path}.ami`, ami, 'unable to find a valid AMI resource reference');
  return {};
}

/** A reference by ARN alone would become one to nothing, so it is refused. */
function reference(
  { id, arn, filters }: AWSResourceReference,
  path: string,
  findings: Findings,
): Draft<awsv1beta2.AWSMachineSpecAdditionalSecurityGroup> {
  if (arn && id === undefined && !filters?.length)
    findings.invalid(`${path}.arn`, arn, 'arn is not supported in CAPI, use id or filters');
  return { id, filters: filters?.map(({ name, values }) => ({ name, values: values ?? [] })) };
}

function instanceProfile(profile: AWSResourceReference = {}, path: string, findings: Findings): string | undefined {
  if (profile.id === undefined && (profile.arn || profile.filters?.length))
    findings.invalid(`${path}.iamInstanceProfile`, profile, 'iamInstanceProfile must be given by id');
  return profile.id;
}

function networkInterfaceType({ networkInterfaceType: type = '' }: Spec, path: string, findings: Findings): string {
  const known: { readonly [type: string]: string } = { '': '', ENA: 'interface', EFA: 'efa' };
  if (!Object.hasOwn(known, type))
    findings.invalid(
      `${path}.networkInterfaceType`,
      type,
      'networkInterface type must be one of ENA, EFA or omitted, unsupported value',
    );
  return known[type] ?? '';
}

/** Every default of the CRD is written out: a field that the server fills in would look like somebody's change. */
function metadataOptions(
  { metadataServiceOptions }: Spec,
  path: string,
  findings: Findings,
): AWSMachineSpec['instanceMetadataOptions'] {
  const authentication: string = metadataServiceOptions?.authentication ?? '';
  if (!['', 'Optional', 'Required'].includes(authentication))
    findings.invalid(
      `${path}.metadataServiceOptions.authentication`,
      authentication,
      'unsupported authentication value',
    );
  return {
    httpEndpoint: 'enabled',
    httpProtocolIpv6: 'disabled',
    httpPutResponseHopLimit: 1,
    httpTokens: authentication === 'Required' ? 'required' : 'optional',
    instanceMetadataTags: 'disabled',
  };
}
