import type { AnnotationFacts } from './annotation-facts.ts';

/** Annotations a user sets to replace single images of a release. */
export const imageAnnotations = {
  controlPlaneOperatorImage: {
    key: 'hypershift.openshift.io/control-plane-operator-image',
    on: ['HostedCluster'],
    meaning: 'Control plane operator image instead of the one in the release.',
  },
  controlPlaneOperatorImageLabels: {
    key: 'hypershift.openshift.io/control-plane-operator-image-labels',
    on: ['HostedCluster'],
    meaning: 'Labels of that image, k=v comma separated, when they cannot be read from it.',
  },
  imageOverrides: {
    key: 'hypershift.openshift.io/image-overrides',
    on: ['HostedCluster'],
    meaning: 'Images of single components, component=image comma separated.',
  },
  olmCatalogsIsRegistryOverrides: {
    key: 'hypershift.openshift.io/olm-catalogs-is-registry-overrides',
    on: ['HostedCluster'],
    mirrored: true,
    meaning: 'Registries to replace in catalogue image streams, source=destination comma separated.',
  },
  konnectivityServerImage: {
    key: 'hypershift.openshift.io/konnectivity-server-image',
    on: ['HostedCluster'],
    mirrored: true,
    meaning: 'Image of the konnectivity server instead of the one in the release.',
  },
  konnectivityAgentImage: {
    key: 'hypershift.openshift.io/konnectivity-agent-image',
    on: ['HostedCluster'],
    mirrored: true,
    meaning: 'Image of the konnectivity agent instead of the one in the release.',
  },
  capiManagerImage: {
    key: 'hypershift.openshift.io/capi-manager-image',
    on: ['HostedCluster'],
    meaning: 'Image of the Cluster API manager instead of the one in the release.',
  },
  clusterAutoscalerImage: {
    key: 'hypershift.openshift.io/cluster-autoscaler-image',
    on: ['HostedCluster'],
    mirrored: true,
    meaning: 'Image of the cluster autoscaler instead of the one in the release.',
  },
  machineApproverImage: {
    key: 'hypershift.openshift.io/machine-approver-image',
    on: ['HostedCluster'],
    meaning: 'Image of the machine approver instead of the one in the release.',
  },
  portierisImage: {
    key: 'hypershift.openshift.io/portieris-image',
    on: ['HostedCluster'],
    mirrored: true,
    meaning: 'Image of the Portieris admission webhook instead of the one in the release.',
  },
  awsKmsProviderImage: {
    key: 'hypershift.openshift.io/aws-kms-provider-image',
    on: ['HostedCluster'],
    mirrored: true,
    meaning: 'Image of the AWS key provider instead of the one in the release.',
  },
  ibmcloudKmsProviderImage: {
    key: 'hypershift.openshift.io/ibmcloud-kms-provider-image',
    on: ['HostedCluster'],
    mirrored: true,
    meaning: 'Image of the IBM Cloud key provider instead of the one in the release.',
  },
  orcImage: {
    key: 'hypershift.openshift.io/orc-image',
    on: ['HostedCluster'],
    meaning: 'Image of the OpenStack resource controller instead of the one in the release.',
  },
  karpenterProviderAwsImage: {
    key: 'hypershift.openshift.io/karpenter-provider-aws-image',
    on: ['HostedCluster'],
    mirrored: true,
    meaning: 'Image of the Karpenter provider for AWS instead of the one in the release.',
  },
  karpenterOperatorImage: {
    key: 'hypershift.openshift.io/karpenter-operator-image',
    on: ['HostedCluster'],
    mirrored: true,
    meaning: 'Image of the Karpenter operator instead of the one in the release.',
  },
  capiProviderAwsImage: {
    key: 'hypershift.openshift.io/capi-provider-aws-image',
    on: ['HostedCluster'],
    meaning: 'Image of the Cluster API provider for AWS instead of the one in the release.',
  },
  capiProviderAzureImage: {
    key: 'hypershift.openshift.io/capi-provider-azure-image',
    on: ['HostedCluster'],
    meaning: 'Image of the Cluster API provider for Azure instead of the one in the release.',
  },
  capiProviderGcpImage: {
    key: 'hypershift.openshift.io/capi-provider-gcp-image',
    on: ['HostedCluster'],
    meaning: 'Image of the Cluster API provider for GCP instead of the one in the release.',
  },
  capiProviderKubevirtImage: {
    key: 'hypershift.openshift.io/capi-provider-kubevirt-image',
    on: ['HostedCluster'],
    meaning: 'Image of the Cluster API provider for KubeVirt instead of the one in the release.',
  },
  capiProviderAgentImage: {
    key: 'hypershift.openshift.io/capi-provider-agent-image',
    on: ['HostedCluster'],
    meaning: 'Image of the Cluster API provider for Agent instead of the one in the release.',
  },
  capiProviderPowervsImage: {
    key: 'hypershift.openshift.io/capi-provider-powervs-image',
    on: ['HostedCluster'],
    meaning: 'Image of the Cluster API provider for PowerVS instead of the one in the release.',
  },
  capiProviderOpenstackImage: {
    key: 'hypershift.openshift.io/capi-provider-openstack-image',
    on: ['HostedCluster'],
    meaning: 'Image of the Cluster API provider for OpenStack instead of the one in the release.',
  },
  haproxyImage: {
    key: 'hypershift.openshift.io/haproxy-image',
    on: ['NodePool'],
    meaning: 'Image of the proxy to the API server on the nodes instead of the one in the release.',
  },
  certifiedOperatorsCatalogImage: {
    key: 'hypershift.openshift.io/certified-operators-catalog-image',
    on: ['HostedCluster'],
    mirrored: true,
    meaning: 'Image of the certified-operators catalogue, by digest; set all four or none.',
  },
  communityOperatorsCatalogImage: {
    key: 'hypershift.openshift.io/community-operators-catalog-image',
    on: ['HostedCluster'],
    mirrored: true,
    meaning: 'Image of the community-operators catalogue, by digest; set all four or none.',
  },
  redhatOperatorsCatalogImage: {
    key: 'hypershift.openshift.io/redhat-operators-catalog-image',
    on: ['HostedCluster'],
    mirrored: true,
    meaning: 'Image of the redhat-operators catalogue, by digest; set all four or none.',
  },
  redhatMarketplaceCatalogImage: {
    key: 'hypershift.openshift.io/redhat-marketplace-catalog-image',
    on: ['HostedCluster'],
    mirrored: true,
    meaning: 'Image of the redhat-marketplace catalogue, by digest; set all four or none.',
  },
} as const satisfies { readonly [name: string]: AnnotationFacts };
