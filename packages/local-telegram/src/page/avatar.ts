import { html } from 'htm/preact';

const HUES = ['rose', 'blue', 'green', 'amber', 'violet', 'teal'];

/** A round initial; the colour follows from the id, so a person looks the same everywhere. */
export function Avatar(props: { readonly name: string; readonly seed: number; readonly size?: 'small' }) {
  const hue = HUES[(props.seed - 101 + HUES.length * 1000) % HUES.length] ?? 'blue';
  return html`<span class=${`avatar ${hue} ${props.size ?? ''}`} aria-hidden="true">${props.name.slice(0, 1).toUpperCase()}</span>`;
}
