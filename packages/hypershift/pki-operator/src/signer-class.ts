/** Who may get emergency certificates: the customer, or those who run the service. */
export type SignerClass = 'customer-break-glass' | 'sre-break-glass';

export const signerClasses: readonly SignerClass[] = ['customer-break-glass', 'sre-break-glass'];

/** The objects of a signer in the control plane's namespace. */
export interface SignerObjects {
  /** Secret with the CA. */
  readonly signer: string;
  /** ConfigMap with every CA of this class that is still trusted. */
  readonly bundle: string;
  /** Secret with a ready-made client certificate. */
  readonly client: string;
}

const objects: Record<SignerClass, SignerObjects> = {
  'customer-break-glass': named('customer'),
  'sre-break-glass': named('sre'),
};

function named(prefix: string): SignerObjects {
  return {
    signer: `${prefix}-system-admin-signer`,
    bundle: `${prefix}-system-admin-signer-ca`,
    client: `${prefix}-system-admin-client-cert-key`,
  };
}

export function signerObjects(signerClass: SignerClass): SignerObjects {
  return objects[signerClass];
}

export function isSignerClass(text: string): text is SignerClass {
  return (signerClasses as readonly string[]).includes(text);
}

/** `spec.signerName` of a request on the management cluster. */
export function signerName(namespace: string, signerClass: SignerClass): string {
  return `hypershift.openshift.io/${namespace}.${signerClass}`;
}

/** The class a request is for, or undefined when it is not for this control plane. */
export function classOfSignerName(namespace: string, name: string): SignerClass | undefined {
  return signerClasses.find((signerClass) => signerName(namespace, signerClass) === name);
}

/** What the user names of a class begin with, so that audit logs show them for what they are. */
export function commonNamePrefix(signerClass: SignerClass): string {
  return `system:${signerClass}:`;
}

/** Whether an object of this name belongs to a signer. */
export function isSignerObject(name: string | undefined): boolean {
  return Object.values(objects).some(({ signer, bundle, client }) => [signer, bundle, client].includes(name ?? ''));
}
