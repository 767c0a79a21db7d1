/** What a hosted cluster reports to the monitoring of its management cluster. */
import { enumOf, object } from '../schema/index.ts';

export const metricsForwarding = object({
  mode: enumOf(['Forward', 'None']).describe('Whether control plane metrics are forwarded into the hosted cluster.'),
  metricsSet: enumOf(['Telemetry', 'SRE', 'All'])
    .optional()
    .describe(
      'Which metrics are forwarded; absent means the set chosen for monitoring as a whole.',
      'Collection on the management cluster is not affected.',
    ),
}).describe(
  'Passing control plane metrics on to the monitoring of the hosted cluster;',
  'when absent the old annotation decides, and without that nothing is forwarded.',
);

export const monitoring = object(
  {
    metricsForwarding: metricsForwarding.optional(),
    metricsSet: enumOf(['Telemetry', 'SRE', 'All'])
      .optional()
      .describe(
        'Which control plane metrics are collected: the few for telemetry, those plus a list kept by operations,',
        'or all of them, which is a lot. Absent means what the operator was installed with.',
      ),
  },
  { minProperties: 1 },
).describe('Metrics of this control plane.');
