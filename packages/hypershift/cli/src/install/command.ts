import { Command, Option } from 'commander';
import { accessOption } from '../cluster-access/index.ts';
import { flagValues } from '../terminal/index.ts';
import type { InstallFlags } from './run.ts';

function installFlags(command: Command): Command {
  return command
    .option('--namespace <namespace>', 'namespace of the operator', 'hypershift')
    .option('--hypershift-image <image>', 'image that holds this program')
    .option('--replicas <n>', 'how many operators run; one of them works', flagValues.integer, 1)
    .option('--pull-secret <file>', 'pull secret for that image')
    .option('--additional-trust-bundle <file>', 'certificate authorities the operator trusts beside the usual ones')
    .option('--registry-overrides <a=b,...>', 'read images of registry a from b')
    .option('--provider-images <platform=image,...>', 'Cluster API providers that releases do not bring')
    .option('--oidc-storage-provider-s3-bucket-name <bucket>', 'publish there what AWS trusts hosted clusters by')
    .option('--oidc-storage-provider-s3-region <region>', 'region of that bucket')
    .option('--oidc-storage-provider-s3-credentials <file>', 'credentials file for it, put into a Secret')
    .option('--oidc-storage-provider-s3-secret <name>', 'or a Secret that exists in the namespace')
    .option('--oidc-storage-provider-s3-secret-key <key>', 'key of the credentials file in it', 'credentials')
    .option('--gcp-oidc-storage-bucket-name <bucket>', "publish there on Google Cloud, as the operator's own account")
    .option(
      '--enable-defaulting-webhook [true|false]',
      'fill in defaults when objects are written',
      flagValues.boolean,
      false,
    )
    .option(
      '--enable-validating-webhook [true|false]',
      'refuse wrong objects when they are written',
      flagValues.boolean,
      false,
    )
    .option(
      '--enable-admin-rbac-generation [true|false]',
      'roles for people who manage or see clusters',
      flagValues.boolean,
      false,
    )
    .option(
      '--tech-preview-no-upgrade [true|false]',
      'kinds and fields that are still previews',
      flagValues.boolean,
      false,
    )
    .option(
      '--install-routes [true|false]',
      'the Route kind, where it does not exist and something serves Routes',
      flagValues.boolean,
      false,
    )
    .option('--limit-crd-install <platforms>', 'kinds of these platforms only, separated by commas', flagValues.list);
}

function renderCommand(): Command {
  return installFlags(new Command('render'))
    .description('Print what would be installed.')
    .addOption(new Option('--format <format>', 'how to write it').choices(['yaml', 'json']).default('yaml'))
    .addOption(new Option('--outputs <what>', 'which part').choices(['all', 'crds', 'resources']).default('all'))
    .option('--output-file <file>', 'write it into a file')
    .option('--render-sensitive', 'render Secrets, too')
    .addHelpText(
      'after',
      '\nExamples:\n  hypershift install render > hypershift.yaml\n  hypershift install render --outputs crds | kubectl apply --server-side -f -',
    )
    .action(async (flags: InstallFlags) => {
      const { renderInstall } = await import('./run.ts');
      await renderInstall(flags);
    });
}

function helmCommand(): Command {
  return new Command('helm')
    .description('Write a Helm chart that installs the same.')
    .option('--output-dir <folder>', 'folder for the chart', 'hypershift-operator-chart')
    .addHelpText(
      'after',
      '\nExample:\n  hypershift install helm --output-dir chart && helm install hypershift chart --namespace hypershift --create-namespace',
    )
    .action(async (flags: { readonly outputDir: string }) => {
      const { writeHelmChart } = await import('./run.ts');
      await writeHelmChart(flags.outputDir);
    });
}

/** `hypershift install [render|helm]`. */
export function installCommand(): Command {
  const command = installFlags(accessOption(new Command('install')))
    .description('Install the kinds and the operator into a management cluster.')
    .addOption(new Option('--install-scope <part>', 'which part').choices(['all', 'crds', 'resources']).default('all'))
    .option('--render', 'print it and change nothing; the same as `install render`')
    .option('--render-sensitive', 'render Secrets, too')
    .option('--wait-until-available', 'wait until the operator runs')
    .addOption(
      new Option('--timeout <duration>', 'give up waiting after this')
        .argParser(flagValues.durationMs)
        .default(300_000, '5m'),
    )
    .addHelpText(
      'after',
      `
Examples:
  hypershift install --hypershift-image registry.example.com/hypershift-ts:0.1.0 --wait-until-available
  hypershift install --render | less
  hypershift install --install-scope crds`,
    )
    .action(async (flags: InstallFlags) => {
      const { renderInstall, runInstall } = await import('./run.ts');
      await (flags.render ? renderInstall(flags) : runInstall(flags));
    });
  return command.addCommand(renderCommand()).addCommand(helmCommand());
}
