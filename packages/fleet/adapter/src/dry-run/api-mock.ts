import type { JsonValue } from '@hypershift-ts/kube-apimachinery';
import { isJsonObject } from '@hypershift-ts/kube-apimachinery';
import { RE2JS } from 're2js';
import type { ApiAnswer, ApiClient, ApiRequest } from '../api-client/client.ts';
import { ApiCallError } from '../api-client/client.ts';
import { apiUrl } from '../api-client/url.ts';

/** A request that was made and what it got. */
export interface RecordedRequest {
  readonly method: string;
  readonly url: string;
  readonly statusCode: number;
  readonly requestBody?: string;
  readonly responseBody?: string;
}

interface Answers {
  readonly method: string;
  readonly pattern: RE2JS;
  readonly responses: readonly { readonly statusCode: number; readonly body: string }[];
  used: number;
}

/** Answers API calls from a file: the first match counts, its answers come in order, and the last one repeats. */
export class ApiMock implements ApiClient {
  readonly requests: RecordedRequest[] = [];
  private readonly answers: readonly Answers[];
  private readonly address: { readonly baseUrl?: string; readonly version: string };

  constructor(document: JsonValue | undefined, address: { readonly baseUrl?: string; readonly version: string }) {
    this.answers = readAnswers(document);
    this.address = address;
  }

  call(request: ApiRequest): Promise<ApiAnswer> {
    const { method, body: sent } = request;
    const url = apiUrl(request.url, this.address);
    const match = this.answers.find(
      (one) => (one.method === '*' || one.method === method) && one.pattern.matcher(url).find(),
    );
    const { statusCode: status, body } = match?.responses[Math.min(match.used++, match.responses.length - 1)] ?? {
      statusCode: 200,
      body: '{}',
    };
    this.requests.push({
      method,
      url,
      statusCode: status,
      ...(sent === undefined ? {} : { requestBody: sent }),
      responseBody: body,
    });
    if (status >= 200 && status < 300) return Promise.resolve({ status, body, attempts: 1 });
    return Promise.reject(new ApiCallError({ method, url, status, body, attempts: 1 }));
  }
}

function readAnswers(document: JsonValue | undefined): readonly Answers[] {
  if (document === undefined) return [];
  const list = isJsonObject(document) ? document['responses'] : undefined;
  if (!Array.isArray(list)) throw new TypeError('the API responses need a list named responses');
  return (list as readonly JsonValue[]).map((entry, i) => {
    const match = isJsonObject(entry) && isJsonObject(entry['match']) ? entry['match'] : undefined;
    const responses = isJsonObject(entry) ? entry['responses'] : undefined;
    if (!match || typeof match['urlPattern'] !== 'string' || !Array.isArray(responses) || responses.length === 0)
      throw new TypeError(`responses[${i}] needs match.urlPattern and at least one response`);
    const method = typeof match['method'] === 'string' ? match['method'].toUpperCase() : '*';
    return { method, pattern: RE2JS.compile(match['urlPattern']), responses: responses.map(readResponse), used: 0 };
  });
}

function readResponse(response: unknown): { readonly statusCode: number; readonly body: string } {
  const { statusCode, body } = isJsonObject(response) ? response : {};
  return {
    statusCode: typeof statusCode === 'number' ? statusCode : 200,
    body: typeof body === 'string' ? body : JSON.stringify(body ?? {}),
  };
}
