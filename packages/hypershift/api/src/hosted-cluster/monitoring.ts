/** What a hosted cluster reports to the monitoring of its management cluster. */
import { enumOf, object } from '../schema/index.ts';

export const metricsForwarding = object({
  mode: enumOf(['Forward', 'None']),
  metricsSet: enumOf(['Telemetry', 'SRE', 'All']).optional(),
});

export const monitoring = object(
  {
    metricsForwarding: metricsForwarding.optional(),
    metricsSet: enumOf(['Telemetry', 'SRE', 'All']).optional(),
  },
  { minProperties: 1 },
);
