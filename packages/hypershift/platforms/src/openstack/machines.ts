import type { NodePool } from '@hypershift-ts/hypershift-api';
import { openstackBootImage } from '@hypershift-ts/hypershift-release';
import type { JsonObject, KubeObject, ResourceType } from '@hypershift-ts/kube-apimachinery';
import { openstackv1beta1, orcv1alpha1 } from '@hypershift-ts/machines-providers';
import type { BootImage, CompanionObject, DesiredTemplate, MachineScope, MachineTemplate } from '../machines.ts';
import { bareTemplateSpec, given, machinePlatform, set } from '../shared/machine-platform.ts';
import { poolSettingsOf, settingsOf } from '../shared/settings.ts';

type Port = NonNullable<NonNullable<NodePool['spec']['platform']['openstack']>['additionalPorts']>[number];

const imageOf = ({ release, stream }: MachineScope) => openstackBootImage({ images: release.bootImages, stream });

/** Name of the image that the release brings. */
const importedName = (scope: MachineScope): string => `rhcos-${imageOf(scope).release}`;

const isImported = ({ pool }: MachineScope): boolean => !poolSettingsOf(pool.spec.platform, 'openstack').imageName;

function bootImage(scope: MachineScope): BootImage | undefined {
  return isImported(scope) ? { message: `Bootstrap OpenStack Image is "${importedName(scope)}"` } : undefined;
}

/** The image as an object of the controller that uploads it; all pools of the release share it. */
function importedImage(scope: MachineScope): readonly CompanionObject[] {
  if (!isImported(scope)) return [];
  const { cluster, namespace } = scope;
  const { url, sha256 } = imageOf(scope);
  const { identityRef } = settingsOf(cluster.spec.platform, 'openstack');
  const name = importedName(scope);
  const object: orcv1alpha1.Image = {
    apiVersion: 'openstack.k-orc.cloud/v1alpha1',
    kind: 'Image',
    metadata: {
      name,
      namespace,
      annotations: { 'hypershift.openshift.io/cluster': `${cluster.metadata.namespace}/${cluster.metadata.name}` },
    },
    spec: {
      cloudCredentialsRef: { cloudName: identityRef.cloudName, secretName: identityRef.name },
      managementPolicy: 'managed',
      resource: {
        name: `${cluster.metadata.namespace}-${cluster.metadata.name}-${name}`,
        content: {
          diskFormat: 'qcow2',
          download: { url, decompress: 'gz', hash: { algorithm: 'sha256', value: sha256 } },
        },
      },
    },
  };
  return [{ type: orcv1alpha1.images as ResourceType<KubeObject>, object }];
}

function additionalPort(port: Port, pool: NodePool): JsonObject {
  return {
    ...(port.network
      ? {
          network: {
            ...set('id', port.network.id),
            ...set('filter', port.network.filter as JsonObject | undefined),
          },
        }
      : {}),
    description: `Additional port for Hypershift node pool ${pool.metadata.name}`,
    ...given(
      'allowedAddressPairs',
      port.allowedAddressPairs?.map(({ ipAddress }) => ({ ipAddress })),
    ),
    ...given('vnicType', port.vnicType),
    disablePortSecurity: port.portSecurityPolicy === 'Disabled',
  };
}

/** The first port is the usual one, which the provider fills in; there is no list unless there are more. */
function ports({ cluster, pool }: MachineScope): readonly JsonObject[] {
  const { additionalPorts = [] } = poolSettingsOf(pool.spec.platform, 'openstack');
  const { subnets = [] } = settingsOf(cluster.spec.platform, 'openstack');
  if (subnets.length > 0 || additionalPorts.length === 0) return [];
  return [{}, ...additionalPorts.map((port) => additionalPort(port, pool))];
}

function template(scope: MachineScope): DesiredTemplate {
  const { flavor, imageName } = poolSettingsOf(scope.pool.spec.platform, 'openstack');
  const image = imageName ? { filter: { name: imageName } } : { imageRef: { name: importedName(scope) } };
  return { spec: bareTemplateSpec({ flavor, image, ...given('ports', ports(scope)) }) };
}

export const openStackMachines = machinePlatform({
  templates: openstackv1beta1.openstackmachinetemplates as unknown as ResourceType<MachineTemplate>, // Specs are JSON here.
  template,
  invalidTemplateReason: 'InvalidOpenStackMachineTemplate',
  bootImage,
  objects: importedImage,
  failureDomain: ({ spec }) => spec.platform.openstack?.availabilityZone,
  cloudConfig: 'openstack-cloud-config',
});
