/** The parts of Ignition 3.x that this room builds itself; everything else passes through as read. */

export interface Resource {
  readonly compression?: string;
  readonly httpHeaders?: readonly { readonly name: string; readonly value?: string }[];
  readonly source?: string;
  readonly verification?: { readonly hash?: string };
}

interface Owner {
  readonly id?: number;
  readonly name?: string;
}

interface Node {
  readonly group?: Owner;
  readonly overwrite?: boolean;
  readonly path: string;
  readonly user?: Owner;
}

export interface IgnitionFile extends Node {
  readonly append?: readonly Resource[];
  readonly contents?: Resource;
  readonly mode?: number;
}

export interface IgnitionDirectory extends Node {
  readonly mode?: number;
}

export interface IgnitionLink extends Node {
  readonly hard?: boolean;
  readonly target?: string;
}

export interface IgnitionUnit {
  readonly contents?: string;
  readonly dropins?: readonly { readonly contents?: string; readonly name: string }[];
  readonly enabled?: boolean;
  readonly mask?: boolean;
  readonly name: string;
}

export interface IgnitionUser {
  readonly groups?: readonly string[];
  readonly name: string;
  readonly passwordHash?: string;
  readonly sshAuthorizedKeys?: readonly string[];
  readonly [field: string]: unknown;
}

export interface IgnitionConfig {
  readonly ignition: {
    readonly config?: { readonly merge?: readonly Resource[]; readonly replace?: Resource };
    readonly proxy?: {
      readonly httpProxy?: string;
      readonly httpsProxy?: string;
      readonly noProxy?: readonly string[];
    };
    readonly security?: { readonly tls?: { readonly certificateAuthorities?: readonly Resource[] } };
    readonly timeouts?: { readonly httpResponseHeaders?: number; readonly httpTotal?: number };
    readonly version: string;
  };
  readonly kernelArguments?: { readonly shouldExist?: readonly string[]; readonly shouldNotExist?: readonly string[] };
  readonly passwd?: {
    readonly users?: readonly IgnitionUser[];
    readonly groups?: readonly { readonly name: string }[];
  };
  readonly storage?: {
    readonly directories?: readonly IgnitionDirectory[];
    readonly files?: readonly IgnitionFile[];
    readonly links?: readonly IgnitionLink[];
    readonly [kind: string]: unknown;
  };
  readonly systemd?: { readonly units?: readonly IgnitionUnit[] };
}
