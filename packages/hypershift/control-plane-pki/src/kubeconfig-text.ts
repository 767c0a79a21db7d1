/** The parts of a kubeconfig; certificates and key as base64, the way Secrets hold them already. */
export interface KubeconfigContent {
  readonly server: string;
  readonly certificateAuthority: string;
  readonly certificate: string;
  readonly key: string;
}

/**
 * A kubeconfig as client-go writes it: cluster `cluster`, user and context `admin`. Every value is a URL or base64, so
 * the text is put together directly; a control plane has a dozen of these and a YAML writer would cost more than the
 * certificates in them.
 */
export function kubeconfigText({ server, certificateAuthority, certificate, key }: KubeconfigContent): string {
  if (!/^https:\/\/[\w.\-[\]:/]+$/.test(server))
    throw new Error(`${JSON.stringify(server)} is not the URL of a server`);
  return `apiVersion: v1
clusters:
- cluster:
    certificate-authority-data: ${certificateAuthority}
    server: ${server}
  name: cluster
contexts:
- context:
    cluster: cluster
    namespace: default
    user: admin
  name: admin
current-context: admin
kind: Config
preferences: {}
users:
- name: admin
  user:
    client-certificate-data: ${certificate}
    client-key-data: ${key}
`;
}
