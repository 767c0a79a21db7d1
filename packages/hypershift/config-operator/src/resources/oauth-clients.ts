import type { KubeObject, ResourceType } from '@hypershift-ts/kube-apimachinery';
import { type GuestObject, kept } from '../guest/guest-object.ts';
import { isOAuthEnabled, servesOpenShiftApis } from './facts.ts';
import type { ResourceGroup } from './inputs.ts';

const clients: ResourceType<KubeObject> = {
  group: 'oauth.openshift.io',
  version: 'v1',
  kind: 'OAuthClient',
  resource: 'oauthclients',
  namespaced: false,
};

/** The ways to log in that every cluster has: in a browser, by challenge, and from the command line. */
export const oauthClients: ResourceGroup = {
  name: 'oauth-clients',
  objects(inputs) {
    const { hcp, oauth, randomBytes } = inputs;
    if (!oauth || !servesOpenShiftApis(inputs) || !isOAuthEnabled(hcp)) return [];
    const host = oauth.host.includes(':') ? `[${oauth.host}]` : oauth.host;
    const at = (path: string) => `https://${host}:${oauth.port}${path}`;
    // A secret is made once; afterwards the client is known by it.
    const secret = Buffer.from(randomBytes(32)).toString('base64url');
    return [
      client(
        'openshift-browser-client',
        [at('/oauth/token/display')],
        { respondWithChallenges: false, secret },
        'create',
      ),
      client('openshift-challenging-client', [at('/oauth/token/implicit')], { respondWithChallenges: true }),
      client('openshift-cli-client', ['http://127.0.0.1/callback', 'http://[::1]/callback'], {
        respondWithChallenges: false,
      }),
    ];
  },
};

function client(
  name: string,
  redirectURIs: readonly string[],
  more: object,
  keeping: 'keep' | 'create' = 'keep',
): GuestObject {
  return kept(clients, { name }, { redirectURIs, grantMethod: 'auto', ...more }, { keeping, unwatched: true });
}
