import type { HostedControlPlane } from '@hypershift-ts/hypershift-api';
import type { ComponentImages, ControlPlaneReleases } from '@hypershift-ts/hypershift-release';
import type { Condition } from '@hypershift-ts/kube-apimachinery';
import type { Client } from '@hypershift-ts/kube-client';
import type { Component } from '../framework/component.ts';
import type { ControlPlaneContext, Lookup, ManagementCluster, OperatorSettings } from '../framework/context.ts';
import { isMonitored } from '../framework/optional-kinds.ts';
import type { InfrastructureStatus } from '../infrastructure/status.ts';
import type { Upkeep } from './upkeep.ts';

/** One reconcile of the HostedControlPlane: what it found, and what its steps found out. */
export interface Pass {
  readonly hcp: HostedControlPlane;
  readonly namespace: string;
  readonly lookup: Lookup;
  readonly management: ManagementCluster;
  readonly settings: OperatorSettings;
  readonly components: readonly Component[];
  /** Writes through it are seen by `lookup` at once. */
  readonly client: Client;
  /** What outlives a reconcile. */
  readonly upkeep: Upkeep;
  /** Milliseconds since the epoch. */
  readonly now: number;
  readonly signal: AbortSignal;
  /** Set once the release images were read. */
  releases?: ControlPlaneReleases;
  images?: ComponentImages;
  userImages?: ComponentImages;
  infrastructure?: InfrastructureStatus | Error | undefined;
  openIdEndpoints?: NonNullable<ControlPlaneContext['openIdEndpoints']>;
  /** Conditions that steps decide. */
  readonly found: Condition[];
}

/** What components and infrastructure look at. Only those parts of the status are in it that they may depend on. */
export function componentContext(pass: Pass): ControlPlaneContext {
  const { hcp, namespace, images, releases, infrastructure, management, settings, lookup } = pass;
  if (!images || !releases) throw new Error(`the release of HostedControlPlane ${namespace} is not known`);
  const status = hcp.status;
  const conditions = status?.conditions?.filter(({ type }) => type === 'ClusterVersionAvailable');
  return {
    hcp: {
      ...hcp,
      status: {
        initialized: true,
        ready: false,
        externalManagedControlPlane: true,
        ...(status?.kubeConfig ? { kubeConfig: status.kubeConfig } : {}),
        ...(conditions ? { conditions } : {}),
      },
    },
    namespace,
    images,
    userRelease: releases.user,
    endpoints: infrastructure instanceof Error || !infrastructure ? {} : endpointsOf(infrastructure),
    management,
    settings,
    lookup,
    ...(pass.openIdEndpoints ? { openIdEndpoints: pass.openIdEndpoints } : {}),
  };
}

function endpointsOf({ api, konnectivity, oauth }: InfrastructureStatus): ControlPlaneContext['endpoints'] {
  return { ...(api ? { api } : {}), ...(konnectivity ? { konnectivity } : {}), ...(oauth ? { oauth } : {}) };
}

/** Stands for everything in a component's context besides what it looks up. */
export function inputsOf(context: ControlPlaneContext): string {
  const { hcp, images, userRelease, endpoints, openIdEndpoints } = context;
  const { kubeConfig } = hcp.status ?? {};
  const { pinnedImage } = images.release;
  const rest = [kubeConfig, isMonitored(context), pinnedImage, userRelease.pinnedImage, endpoints, openIdEndpoints];
  return `${wishesOf(hcp)}${JSON.stringify(rest)}`;
}

/** Every step asks; what was asked for is the same as long as the metadata that came with it is. */
const wishes = new WeakMap<HostedControlPlane['metadata'], string>();

function wishesOf({ metadata, spec }: HostedControlPlane): string {
  const known = wishes.get(metadata);
  if (known !== undefined) return known;
  const { name, uid, generation, labels, annotations } = metadata;
  const text = JSON.stringify([name, uid, generation, labels, annotations, spec]);
  wishes.set(metadata, text);
  return text;
}
