import { ManualClock } from '@hypershift-ts/kube-apimachinery';
import { describe, expect, it } from 'vitest';
import { Template, TemplateError } from './index.ts';

const clock = new ManualClock(Date.UTC(2026, 0, 10, 9, 5, 7, 45));

const data = {
  clusterId: 'ABC123',
  generation: 5,
  big: 12345678,
  ratio: 0.25,
  spec: { region: 'us-east1', zones: ['a', 'b'], tags: { team: 'x', env: 'prod' }, empty: [] },
  missing: null,
  no: false,
};

const render = (source: string): string => new Template(source).render(data, clock);

describe('Template', () => {
  it.each<[string, string]>([
    ['plain', 'plain'],
    ['{{ .clusterId }}', 'ABC123'],
    ['{{.spec.region}}-{{ .generation }}', 'us-east1-5'],
    ['{{ .big }} {{ .ratio }}', '12345678 0.25'],
    ['{{ .clusterId | lower }}', 'abc123'],
    ['{{ .clusterId | lower | printf "%s-x" }}', 'abc123-x'],
    ['{{ now | date "2006-01-02T15:04:05Z07:00" }}', '2026-01-10T09:05:07Z'],
    ['{{ now | date "Mon, 02 Jan 2006 03:04:05.000 PM -0700" }}', 'Sat, 10 Jan 2026 09:05:07.045 AM +0000'],
    ['{{ dateFormat "2006" "2024-05-06T07:08:09Z" }}', '2024'],
    ['{{ if .no }}a{{ else if eq .generation 5 }}b{{ else }}c{{ end }}', 'b'],
    ['{{ if and .clusterId (not .no) }}yes{{ end }}', 'yes'],
    ['{{ or .no "" .spec.region }}', 'us-east1'],
    ['{{ range .spec.zones }}<{{ . }}>{{ end }}', '<a><b>'],
    ['{{ range $i, $z := .spec.zones }}{{ if $i }},{{ end }}{{ $z }}{{ end }}', 'a,b'],
    ['{{ range $k, $v := .spec.tags }}{{ $k }}={{ $v }};{{ end }}', 'env=prod;team=x;'],
    ['{{ range .spec.empty }}x{{ else }}none{{ end }}', 'none'],
    ['{{ range .spec.zones }}{{ if eq . "b" }}{{ break }}{{ end }}{{ . }}{{ end }}', 'a'],
    ['{{ with .spec }}{{ .region }}{{ $.generation }}{{ end }}', 'us-east15'],
    ['{{ $x := .generation }}{{ $x = 7 }}{{ $x }}', '7'],
    ['a  {{- .generation -}}  b', 'a5b'],
    ['a{{/* a comment }} */}}b', 'ab'],
    ['{{ index .spec.zones 1 }}{{ index .spec.tags "env" }}', 'bprod'],
    ['{{ len .spec.zones }}{{ len "é" }}', '22'],
    ['{{ .missing }}', '<no value>'],
    ['{{ .missing | default "d" }}{{ "" | default "e" }}{{ .generation | default 9 }}', 'de5'],
    ['{{ quote "a\\"b" }}', '"a\\"b"'],
    ['{{ `raw "x"` }}', 'raw "x"'],
    ['{{ printf "%05d|%-4s|%q|%v|%.2f|%%" 42 "ab" "q" .spec.zones .ratio }}', '00042|ab  |"q"|[a b]|0.25|%'],
    ['{{ trimPrefix "v1.2" "v" }}{{ replace "a.b" "." "-" }}{{ hasSuffix "ab" "b" }}', '1.2a-btrue'],
    ['{{ int "12" }}{{ int64 3.9 }}{{ float "x" }}{{ string 4 }}{{ title "ab cd" }}', '12304Ab Cd'],
    ['{{ (index .spec.tags "env") | upper }}', 'PROD'],
    ['{{ .spec.tags }}', 'map[env:prod team:x]'],
    ["{{ 'a' }} {{ 0x10 }} {{ 1.5e1 }}", '97 16 15'],
    ['{{ gt .generation 4 }}{{ le 1 1 }}{{ ne "a" "b" }}{{ lt "a" "b" }}', 'truetruetruetrue'],
  ])('When %s is rendered, it should give %s', (source, expected) => {
    expect(render(source)).toBe(expected);
  });

  it.each<[string, string]>([
    [
      '{{ .nothing }}',
      'template: template:1:3: executing "template" at <.nothing>: map has no entry for key "nothing"',
    ],
    [
      'a\n{{ .spec.nope.x }}',
      'template: template:2:3: executing "template" at <.spec.nope>: map has no entry for key "nope"',
    ],
    ['{{ .missing.x }}', 'nil pointer evaluating interface {}.x'],
    ['{{ .clusterId.x }}', "can't evaluate field x in type string"],
    ['{{ index .spec.zones 9 }}', 'error calling index: index out of range: 9'],
    ['{{ eq 1 "a" }}', 'incompatible types for comparison'],
    ['{{ lower 3 }}', 'expected string; got int'],
    ['{{ lower "a" "b" }}', 'wrong number of args for lower: want 1 got 2'],
    ['{{ range .clusterId }}{{ end }}', "range can't iterate over ABC123"],
    ['{{ range 2000000 }}{{ end }}', 'more than 200000 steps'],
    ['{{ constructor }}', 'function "constructor" not defined'],
    ['{{ .toString }}', 'map has no entry for key "toString"'],
  ])('When %s is rendered, it should fail as Go does', (source, message) => {
    expect(() => render(source)).toThrow(TemplateError);
    expect(() => render(source)).toThrow(message);
  });

  it.each<[string, string]>([
    ['{{ .a ', 'template: template:1: unclosed action'],
    ['x\n{{ if .a }}', 'unexpected EOF'],
    ['{{ end }}', 'unexpected {{end}}'],
    ['{{ nope .a }}', 'function "nope" not defined'],
    ['{{ "a }}', 'unterminated quoted string'],
    ['{{ .a | }}', 'missing value for command'],
    ['{{ (.a }}', 'unclosed left paren'],
    ['{{ $x }}', 'undefined variable "$x"'],
    ['{{ break }}', '{{break}} outside {{range}}'],
    ['{{ template "x" }}', 'not supported'],
    ['{{ .a .b }}', "can't give argument to non-function .a"],
    [`${'{{ if .a }}'.repeat(200)}${'{{ end }}'.repeat(200)}`, 'nested too deeply'],
  ])('When %s is parsed, it should be refused', (source, message) => {
    expect(() => new Template(source)).toThrow(message);
  });

  it('When asked what it reads, it should name what it takes from the data only', () => {
    const template = new Template(
      '{{ .a.b }}{{ with .c }}{{ .inner }}{{ $.d }}{{ end }}{{ if eq .e (lower .f) }}{{ .g }}{{ end }}',
    );
    expect(template.references().map(({ name }) => name)).toEqual(['a', 'c', 'd', 'e', 'f', 'g']);
  });
});
