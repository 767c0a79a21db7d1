import { describe, expect, it } from 'vitest';
import { kubeletFlags } from './kubelet-settings.ts';
import { operatingSystemOf } from './operating-system.ts';

describe('kubeletFlags', () => {
  it('When flags go over several lines and use variables, it should read them as systemd does', () => {
    const unit =
      '[Service]\nExecStart=/usr/bin/kubelet \\\n      --config=/etc/k.conf \\\n      --node-labels=a=b,os=${ID},${NONE} --v\nRestart=always\n';
    expect(Object.fromEntries(kubeletFlags(unit, { ID: 'rhcos' }))).toEqual({
      config: '/etc/k.conf',
      'node-labels': 'a=b,os=rhcos,',
      v: 'true',
    });
  });
});

describe('operatingSystemOf', () => {
  it('When the image is of an embedded release, it should know the kubelet in it', () => {
    expect(operatingSystemOf('registry.hypershift-ts.io/release/rhel-coreos:4.20.3')).toEqual({
      osImage: 'Red Hat Enterprise Linux CoreOS 4.20.3 (simulated)',
      kubeletVersion: 'v1.33.3',
    });
  });

  it('When the image is known by its digest only, it should claim no release', () => {
    expect(operatingSystemOf('quay.io/x/rhel-coreos@sha256:0f3a4.20.3').osImage).toBe(
      'Red Hat Enterprise Linux CoreOS (simulated)',
    );
  });
});
