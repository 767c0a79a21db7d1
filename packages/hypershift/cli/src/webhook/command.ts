import { Command } from 'commander';

interface WebhookCommandOptions {
  readonly kubeconfig?: string;
  readonly certFile: string;
  readonly keyFile: string;
  readonly bindAddress: string;
  readonly port: string;
}

/** `hypershift webhook`: the optional admission webhooks as a process. */
export function webhookCommand(): Command {
  return new Command('webhook')
    .description(
      'Serve the optional admission webhooks: defaults, and early errors and warnings about HostedClusters and NodePools.',
    )
    .option('--kubeconfig <file>', 'cluster to read HostedClusters from (default: KUBECONFIG, or the pod it runs in)')
    .requiredOption('--cert-file <file>', 'serving certificate')
    .requiredOption('--key-file <file>', 'key of the serving certificate')
    .option('--bind-address <address>', 'address to listen on', '0.0.0.0')
    .option('--port <port>', 'port to listen on', '9443')
    .action(async (options: WebhookCommandOptions) => {
      const { runWebhooks } = await import('./run.ts');
      await runWebhooks(options);
    });
}
