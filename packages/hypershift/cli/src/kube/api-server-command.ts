import { Command } from 'commander';
import { errorDetail } from '../cli-error.ts';

/** `hypershift kube-apiserver`: our API server with the real one's flags. */
export function apiServerCommand(): Command {
  return new Command('kube-apiserver')
    .description("Run the API server alone, with kube-apiserver's flags (see docs/reference/kube-apiserver.md).")
    .allowUnknownOption()
    .allowExcessArguments()
    .passThroughOptions()
    .helpOption(false)
    .argument('[flags...]')
    .action(async (flags: string[]) => {
      const { apiServerFlags, runApiServer } = await import('@hypershift-ts/kube-apiserver');
      if (flags.includes('--help') || flags.includes('-h')) {
        for (const [name, { help }] of Object.entries(apiServerFlags)) console.log(`  --${name.padEnd(38)} ${help}`);
        return;
      }
      const { untilStopped } = await import('./stop-signals.ts');
      const server = await runApiServer(flags, (message, error) =>
        console.error(error === undefined ? message : `${message}: ${errorDetail(error)}`),
      );
      console.log(`serving on https://${server.address}:${server.port}`);
      await untilStopped();
      await server.stop();
    });
}
