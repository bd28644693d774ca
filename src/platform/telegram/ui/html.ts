declare const htmlBrand: unique symbol;

/**
 * Text for `parse_mode: HTML`. The only ways to get one are this file's functions, and all of them escape their input, so hostile text
 * (token names, user names) can never become markup.
 */
export type Html = { readonly [htmlBrand]: true; readonly markup: string };

const make = (markup: string): Html => ({ markup }) as Html;

/** A value placed into a template: escaped unless it is already Html. Lists are placed one after the other. */
export type HtmlValue = Html | string | number | bigint | readonly Html[];

/**
 * The template: `html`Hello <b>${name}</b>``. Everything interpolated is escaped, and no word of it becomes a link. A link of
 * ours goes in as `plain(url)`.
 */
export function html(strings: TemplateStringsArray, ...values: readonly HtmlValue[]): Html {
  return make(String.raw({ raw: strings }, ...values.map(place)));
}

/** Plain text as Html. */
export const plain = (text: string): Html => make(escapeHtml(text));

/** Monospace: tap to copy, and no automatic links or mentions inside. */
export const code = (text: string): Html => make(`<code>${escapeHtml(text)}</code>`);

export const bold = (text: string): Html => make(`<b>${unlinked(text)}</b>`);

/** Joins lines; null and false are left out, so a conditional line reads in place. */
export function lines(...parts: readonly (Html | null | false)[]): Html {
  return make(
    parts
      .filter((part) => part !== null && part !== false)
      .map((part) => part.markup)
      .join('\n'),
  );
}

/**
 * Fills `{name}` placeholders of a catalogue text. The text itself is ours and may hold markup; every value is escaped.
 * Text between is left as it is. A placeholder without a value is a bug and throws.
 */
export function fill(template: string, values: Readonly<Record<string, HtmlValue>>): Html {
  return make(
    template.replace(/\{(\w+)\}/g, (_match, name: string) => {
      const value = values[name];
      if (value === undefined) throw new Error(`no value for placeholder {${name}}`);
      return place(value);
    }),
  );
}

/** Texts that Telegram makes a link of by itself: a host, an address, a scheme, a mention, a command, a tag of a topic or of a coin. */
const LOOKS_LIKE_LINK =
  /[\p{L}\p{N}_-]\.\p{L}{2}|:\/\/|\d\.\d+\.\d+\.\d|(?<![\p{L}\p{N}_<])\/[a-z0-9_]|@[a-z0-9_]|#[\p{L}\p{N}_]*\p{L}|\$[A-Z]|[@#$/]$/iu;

/** Escaped, and each word that looks like a link as code, in which Telegram finds none: names are anybody's to choose. */
function unlinked(text: string): string {
  return text
    .split(/(\s+)/u)
    .map((word) => (LOOKS_LIKE_LINK.test(word) ? `<code>${escapeHtml(word)}</code>` : escapeHtml(word)))
    .join('');
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"]/g, (char) => ENTITIES[char] ?? char);
}

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

function place(value: HtmlValue): string {
  if (typeof value !== 'object') return unlinked(String(value));
  return 'markup' in value ? value.markup : value.map((item) => item.markup).join('');
}
