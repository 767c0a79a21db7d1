import type { MachineConfig } from '../machine-config/machine-config.ts';
import { fileOf, generatedMachineConfig, lines } from './files.ts';
import { baseKubeletConfiguration, kubeletConfFile, logLevelFile, nodeSizingFile } from './kubelet-config.ts';
import type { PayloadInputs } from './payload-inputs.ts';

/** `01-worker-kubelet`: the kubelet, its configuration and its trust. */
export function kubeletService(inputs: PayloadInputs): MachineConfig {
  const files = [
    kubeletConfFile(baseKubeletConfiguration(inputs)),
    logLevelFile(2),
    nodeSizingFile(true),
    fileOf('/usr/local/sbin/dynamic-system-reserved-calc.sh', sizingScript, 0o755),
    fileOf('/etc/kubernetes/kubelet-ca.crt', inputs.kubeletClientCA),
    ...(inputs.cloudConfig ? [fileOf('/etc/kubernetes/cloud.conf', inputs.cloudConfig)] : []),
  ];
  const units = [
    { name: 'kubelet.service', enabled: true, contents: kubeletUnit(inputs) },
    { name: 'kubelet-auto-node-size.service', enabled: true, contents: sizingUnit },
  ];
  return generatedMachineConfig('01-worker-kubelet', { files, units });
}

function kubeletUnit({ ipFamily }: PayloadInputs): string {
  const any = ipFamily === 'IPv6' ? '::' : '0.0.0.0';
  const flags = [
    '--config=/etc/kubernetes/kubelet.conf',
    '--config-dir=/etc/openshift/kubelet.conf.d',
    '--bootstrap-kubeconfig=/etc/kubernetes/kubeconfig',
    '--kubeconfig=/var/lib/kubelet/kubeconfig',
    '--container-runtime-endpoint=/var/run/crio/crio.sock',
    '--runtime-cgroups=/system.slice/crio.service',
    '--node-labels=node-role.kubernetes.io/worker,node.openshift.io/os_id=${ID},${CUSTOM_KUBELET_LABELS}',
    `--node-ip=\${${ipFamily === 'DualStack' ? 'KUBELET_NODE_IPS' : 'KUBELET_NODE_IP'}}`,
    '--minimum-container-ttl-duration=6m0s',
    '--volume-plugin-dir=/etc/kubernetes/kubelet-plugins/volume/exec',
    '--cloud-provider=external',
    '--hostname-override=${KUBELET_NODE_NAME}',
    '--provider-id=${KUBELET_PROVIDERID}',
    '--v=${KUBELET_LOG_LEVEL}',
  ];
  return lines(
    '[Unit]',
    'Description=Kubernetes Kubelet',
    'Requires=crio.service kubelet-dependencies.target',
    'After=kubelet-dependencies.target',
    'After=ostree-finalize-staged.service',
    '',
    '[Service]',
    'Type=notify',
    'ExecStartPre=/bin/mkdir --parents /etc/kubernetes/manifests',
    'ExecStartPre=/bin/mkdir --parents /etc/openshift/kubelet.conf.d',
    'ExecStartPre=-/usr/sbin/restorecon -ri /var/lib/kubelet/pod-resources',
    `Environment="KUBELET_NODE_IP=${any}"`,
    `Environment="KUBELET_NODE_IPS=${any}"`,
    'EnvironmentFile=/etc/os-release',
    'EnvironmentFile=-/etc/kubernetes/kubelet-workaround',
    'EnvironmentFile=-/etc/kubernetes/kubelet-env',
    `ExecStart=/usr/bin/kubelet \\\n      ${flags.join(' \\\n      ')}`,
    'Restart=always',
    'RestartSec=10',
    '',
    '[Install]',
    'WantedBy=multi-user.target',
  );
}

const sizingUnit = lines(
  '[Unit]',
  'Description=Keep a share of the machine for the system',
  'Wants=network-online.target',
  'After=network-online.target firstboot-osupdate.target',
  'Before=kubelet-dependencies.target',
  '',
  '[Service]',
  'Type=oneshot',
  'RemainAfterExit=yes',
  'EnvironmentFile=/etc/node-sizing-enabled.env',
  'ExecStart=/bin/bash /usr/local/sbin/dynamic-system-reserved-calc.sh ${NODE_SIZING_ENABLED} ${SYSTEM_RESERVED_MEMORY} ${SYSTEM_RESERVED_CPU} ${SYSTEM_RESERVED_ES}',
  '',
  '[Install]',
  'RequiredBy=kubelet-dependencies.target',
);

/** One GiB, 6 % of what is above 8 GiB and 2 % above 128 GiB; 60 m for the first CPU and 12 m for each other. */
const sizingScript = lines(
  '#!/bin/bash',
  'set -euo pipefail',
  'automatic=$1 memory=$2 cpu=$3 storage=$4',
  'if [ "$automatic" = true ]; then',
  '  memory=$(awk \'/^MemTotal:/ { g = int($2 / 1048576); r = 1; if (g > 8) { m = g - 8; r += (m < 120 ? m : 120) * 0.06 } if (g > 128) r += (g - 128) * 0.02; printf "%dGi", r + 0.5 }\' /proc/meminfo)',
  '  cpu=$(awk -v n="$(getconf _NPROCESSORS_ONLN)" \'BEGIN { c = 0.06 + 0.012 * (n - 1); printf "%.2f", c < 0.5 ? 0.5 : c }\')',
  'fi',
  'mkdir -p /etc/openshift/kubelet.conf.d',
  'cat > /etc/openshift/kubelet.conf.d/20-auto-sizing.conf <<END',
  'apiVersion: kubelet.config.k8s.io/v1beta1',
  'kind: KubeletConfiguration',
  'systemReserved:',
  '  cpu: "$cpu"',
  '  memory: "$memory"',
  '  ephemeral-storage: "$storage"',
  'END',
);
