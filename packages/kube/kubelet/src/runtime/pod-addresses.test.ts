import { describe, expect, it } from 'vitest';
import { onPodAddress } from './pod-addresses.ts';

describe('onPodAddress', () => {
  it.each([
    ['https://0.0.0.0:2382', 'https://127.130.0.7:2382'],
    ['https://127.130.0.7:2379,https://localhost:2379', 'https://127.130.0.7:2379'],
    ['--listen=http://127.0.0.1:80,http://0.0.0.0:81', '--listen=http://127.130.0.7:80,http://127.130.0.7:81'],
    ['https://[::]:2380', 'https://127.130.0.7:2380'],
  ])('When a program names %s, it should mean the pod', (text, expected) => {
    expect(onPodAddress(text, '127.130.0.7')).toBe(expected);
  });

  it.each(['https://etcd-0.etcd-discovery.clusters.svc:2380', 'a,a', '0.0.0.0', 'localhost', '/var/lib/localhost:2'])(
    'When %s is no address of the machine, it should stay',
    (text) => {
      expect(onPodAddress(text, '127.130.0.7')).toBe(text);
    },
  );
});
