import type { OpenstackFilter } from '@hypershift-ts/machines-machine-api';
import type { openstackv1beta1 } from '@hypershift-ts/machines-providers';

/** The generated types are named after the place where a shape was met first; here they get the names people know. */
export type OpenStackMachineSpec = openstackv1beta1.OpenStackMachine['spec'];
export type Port = NonNullable<OpenStackMachineSpec['ports']>[number];
type FixedIP = NonNullable<Port['fixedIPs']>[number];
export type Reference = NonNullable<Port['network']>;
export type Filter = NonNullable<Reference['filter']>;
export type Subnet = NonNullable<FixedIP['subnet']>;
export type SubnetFilter = NonNullable<Subnet['filter']>;
export type RootVolume = NonNullable<OpenStackMachineSpec['rootVolume']>;
export type BlockDevice = NonNullable<OpenStackMachineSpec['additionalBlockDevices']>[number];
export type Zone = NonNullable<RootVolume['availabilityZone']>;

/** A filter of subnets as the Machine API spells it. */
export interface OldSubnetFilter extends OpenstackFilter {
  readonly networkId?: string;
  readonly ipVersion?: number;
  readonly gateway_ip?: string;
  readonly cidr?: string;
  readonly ipv6AddressMode?: string;
  readonly ipv6RaMode?: string;
}
