import type { awsv1beta2 } from '@hypershift-ts/machines-providers';
import type { Findings } from '../findings.ts';

const authentications: { readonly [tokens: string]: string } = { '': '', optional: 'Optional', required: 'Required' };

/** How instances ask for their metadata. The Machine API lets only the need for a token be chosen. */
export function metadataOptionsToMachineApi(
  options: awsv1beta2.AWSMachineSpec['instanceMetadataOptions'] = {},
  path: string,
  findings: Findings,
): { readonly authentication: string } {
  const field = `${path}.instanceMetadataOptions`;
  const fixed = (name: keyof typeof options, value: string | number) => {
    if (options[name] && options[name] !== value)
      findings.invalid(
        `${field}.${name}`,
        options[name],
        `${name} values other than ${JSON.stringify(value)} are not supported`,
      );
  };
  fixed('httpEndpoint', 'enabled');
  fixed('httpProtocolIpv6', 'disabled');
  fixed('httpPutResponseHopLimit', 1);
  fixed('instanceMetadataTags', 'disabled');
  const tokens: string = options.httpTokens ?? '';
  if (!Object.hasOwn(authentications, tokens))
    findings.invalid(`${field}.httpTokens`, tokens, 'unable to convert httpTokens state, unknown value');
  return { authentication: authentications[tokens] ?? '' };
}
