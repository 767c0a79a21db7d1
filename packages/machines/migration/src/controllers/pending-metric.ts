import type { InformerCache } from '@hypershift-ts/kube-client';
import { mapiv1beta1 } from '@hypershift-ts/machines-machine-api';
import { Gauge, type Registry } from 'prom-client';
import { type PendingMigration, pendingMigration } from '../handover/pending.ts';
import { everyMachineApi } from './watches.ts';

const name = 'mapi_migration_pending';
const labelNames = ['kind', 'namespace', 'name', 'from', 'to', 'reason'] as const;

/** Every change of authority that was asked for and has not happened yet. */
function pendingMigrations(cache: InformerCache): readonly PendingMigration[] {
  return [mapiv1beta1.machines, mapiv1beta1.machinesets].flatMap((type) =>
    everyMachineApi<mapiv1beta1.Machine | mapiv1beta1.MachineSet>(type, cache).flatMap(
      (object) => pendingMigration(object) ?? [],
    ),
  );
}

/** Counts pending migrations whenever somebody asks; returns how to end that. */
export function observePending(registry: Registry, cache: InformerCache): () => void {
  const gauge = new Gauge({
    name,
    help: 'Machines and machine sets whose authority is wanted elsewhere and has not been handed over yet.',
    labelNames,
    registers: [],
    collect() {
      this.reset();
      for (const pending of pendingMigrations(cache)) this.set({ ...pending }, 1);
    },
  });
  registry.registerMetric(gauge);
  return () => registry.removeSingleMetric(name);
}

/** Tells somebody when a migration does not get on. */
export const stalledMigrationRule = {
  apiVersion: 'monitoring.coreos.com/v1',
  kind: 'PrometheusRule',
  metadata: { name: 'machine-api-migration', namespace: 'openshift-cluster-api' },
  spec: {
    groups: [
      {
        name: 'machine-api-migration',
        rules: [
          {
            alert: 'MachineAPIMigrationStalled',
            expr: `${name} > 0`,
            for: '30m',
            labels: { severity: 'warning' },
            annotations: {
              summary: '{{ $labels.kind }} {{ $labels.name }} has not changed its authoritative API for half an hour.',
              description:
                '{{ $labels.kind }} {{ $labels.namespace }}/{{ $labels.name }} was asked to move from {{ $labels.from }} to {{ $labels.to }} and has not: {{ $labels.reason }}. See its Synchronized condition, and whether the controllers of both APIs run. Setting spec.authoritativeAPI back calls the migration off.',
            },
          },
        ],
      },
    ],
  },
} as const;
