/** The `data:` URLs in which Ignition carries the contents of files. */

const scheme = 'data:';

/** As the Go library behind HyperShift's own MachineConfigs writes them: typed, base64. */
export function dataUrl(contents: string | Uint8Array): string {
  return `data:text/plain;charset=utf-8;base64,${Buffer.from(contents as string).toString('base64')}`;
}

/** The contents of a data URL. Throws when it is not one. */
export function decodeDataUrl(url: string): Buffer {
  const comma = url.indexOf(',');
  if (!url.startsWith(scheme) || comma < 0) throw new Error('not a data URL');
  const data = url.slice(comma + 1);
  if (!/;base64$/i.test(url.slice(0, comma))) return percentDecoded(data);
  const base64 = percentDecoded(data).toString('latin1');
  if (!/^[A-Za-z0-9+/]*={0,2}$/.test(base64) || base64.length % 4 !== 0) throw new Error('illegal base64 data');
  return Buffer.from(base64, 'base64');
}

function percentDecoded(text: string): Buffer {
  if (!text.includes('%')) return Buffer.from(text, 'utf8');
  const bytes: number[] = [];
  const raw = Buffer.from(text, 'utf8');
  for (let i = 0; i < raw.length; i++) {
    if (raw[i] !== 0x25) bytes.push(raw[i] ?? 0);
    else {
      const hex = raw.subarray(i + 1, i + 3).toString('latin1');
      if (!/^[0-9a-fA-F]{2}$/.test(hex)) throw new Error('invalid percent escape');
      bytes.push(Number.parseInt(hex, 16));
      i += 2;
    }
  }
  return Buffer.from(bytes);
}
