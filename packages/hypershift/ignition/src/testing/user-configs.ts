/** Documents as users put them into a pool's `spec.config`. */

export const aMachineConfigDocument = (
  name: string,
  path: string,
  text: string,
): string => `apiVersion: machineconfiguration.openshift.io/v1
kind: MachineConfig
metadata:
  name: ${name}
spec:
  kernelArguments: [nosmt, "mitigations=auto"]
  extensions: [usbguard]
  config:
    ignition: { version: 3.2.0 }
    storage:
      files:
      - path: ${path}
        mode: 0640
        contents: { source: "data:,${encodeURIComponent(text)}" }
    systemd:
      units:
      - { name: custom.service, enabled: true, contents: "[Service]\\nExecStart=/bin/true\\n[Install]\\nWantedBy=multi-user.target\\n" }
`;

export const aKubeletConfig = (...lines: readonly string[]): string => `apiVersion: machineconfiguration.openshift.io/v1
kind: KubeletConfig
metadata: { name: kubelet }
spec:
${lines.map((line) => `  ${line}`).join('\n')}
`;

export const aContainerRuntimeConfig = (fields: string): string => `apiVersion: machineconfiguration.openshift.io/v1
kind: ContainerRuntimeConfig
metadata: { name: runtime }
spec: { containerRuntimeConfig: { ${fields} } }
`;

export const aMirrorSet = (source: string, mirror: string): string => `apiVersion: config.openshift.io/v1
kind: ImageDigestMirrorSet
metadata: { name: mirrors }
spec:
  imageDigestMirrors:
  - { source: "${source}", mirrors: ["${mirror}"], mirrorSourcePolicy: NeverContactSource }
`;
