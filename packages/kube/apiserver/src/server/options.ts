import type { NamedCertificate } from '../http/named-certificates.ts';
import type { Clock } from '@hypershift-ts/kube-apimachinery';
import type { Store } from '@hypershift-ts/kube-store';
import type { Registry as MetricsRegistry } from 'prom-client';
import type { AuditSink } from '../audit/audit.ts';
import type { AnonymousOptions } from '../authentication/index.ts';
import type { Egress } from '../connect/http-connect.ts';

/** What an embedded API server is made of. Everything with a default is what kube-apiserver does. */
export interface ApiServerOptions {
  readonly store: Store;
  readonly serving: {
    readonly bindAddress?: string;
    /** 0 or absent: a free port. */
    readonly port?: number;
    readonly certificate: string;
    readonly key: string;
    /** Other certificates for clients that ask for their names. */
    readonly named?: readonly NamedCertificate[];
  };
  /** False: somebody else says where the Service `kubernetes` leads. */
  readonly publishEndpoints?: boolean;
  /** Address and port told to clients inside the cluster (endpoints of default/kubernetes). */
  readonly advertise?: { readonly address: string; readonly port?: number };
  /** PEM bundle of CAs whose client certificates are believed. */
  readonly clientCa?: string;
  readonly frontProxy?: { readonly ca: string; readonly allowedNames: readonly string[] };
  readonly serviceAccounts: {
    /** The first one signs; all are accepted. */
    readonly issuers: readonly string[];
    /** PEM; absent: tokens are verified but not issued. */
    readonly signingKey?: string;
    /** PEM keys tokens are verified with, in addition to the signing key's. */
    readonly verificationKeys?: string;
    readonly audiences?: readonly string[];
    readonly maxExpirationSeconds?: number;
  };
  /** CSV of `token,user,uid,"group1,group2"`. */
  readonly staticTokens?: string;
  /** Absent: requests without a credential are refused. */
  readonly anonymous?: AnonymousOptions;
  readonly authorizationModes?: readonly string[];
  readonly disabledAdmission?: readonly string[];
  readonly serviceCidr?: string;
  readonly nodePortRange?: { readonly from: number; readonly to: number };
  readonly eventTtlSeconds?: number;
  readonly limits?: {
    readonly requestsInFlight?: number;
    readonly mutatingRequestsInFlight?: number;
    readonly bodyBytes?: number;
    readonly requestTimeoutMs?: number;
    readonly minWatchSeconds?: number;
  };
  readonly audit?: AuditSink;
  /** Shared or own; absent: an own one. */
  readonly metrics?: MetricsRegistry;
  readonly clock?: Clock;
  readonly random?: () => number;
  /** Client certificate for calls to kubelets (logs, exec). */
  readonly kubeletClient?: { readonly certificate: string; readonly key: string; readonly ca?: string };
  /** The way to nodes and pods, when they are behind a proxy. */
  readonly egress?: Egress;
  /** A line about something that went wrong inside. Never carries credentials. */
  readonly log?: (message: string, error?: unknown) => void;
}
