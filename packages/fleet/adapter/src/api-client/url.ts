/**
 * The path of a URL as the API serves it. A relative one gets the API's prefix unless it brings its own `api/`; an
 * absolute one on the API's host is made relative; others stay as they are. The query stays in every case.
 */
export function apiUrl(
  url: string,
  { baseUrl, version }: { readonly baseUrl?: string; readonly version: string },
): string {
  const path = withoutHost(url, baseUrl);
  if (path === undefined) return url;
  const bare = path.replace(/^\/+/, '');
  return /^api(?:\/|$)/.test(bare) ? `/${bare}` : `/api/hyperfleet/${version}/${bare}`;
}

/** What follows the host when it is the API's or there is none; undefined for another host. */
function withoutHost(url: string, baseUrl: string | undefined): string | undefined {
  if (!/^[a-z][a-z0-9+.-]*:\/\//i.test(url)) return url;
  if (baseUrl === undefined || !URL.canParse(url) || !URL.canParse(baseUrl)) return undefined;
  const [asked, base] = [new URL(url), new URL(baseUrl)];
  return asked.host === base.host ? `${asked.pathname}${asked.search}` : undefined;
}
