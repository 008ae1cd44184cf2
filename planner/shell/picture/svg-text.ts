/**
 * The few things that every SVG of the shell needs. Black on white with shapes, so that it reads in print and
 * for the colour-blind.
 */
import { displayWidth, shorten } from '../../../semiring/message/visible-text.js';

/** Units that a character takes at the font size used. */
const characterWidth = 7.5;

export function textWidth(visible: string): number {
  return displayWidth(visible) * characterWidth;
}

/** Untrusted text as the content of an element. */
export function svgText(text: string, most = 60): string {
  return shorten(text, most).replace(/[&<>"']/g, (mark) => `&#${mark.codePointAt(0)};`);
}

export function svgDocument(width: number, height: number, title: string, body: readonly string[]): string {
  const w = Math.ceil(width);
  const h = Math.ceil(height);
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${w}" height="${h}" viewBox="0 0 ${w} ${h}" font-family="DejaVu Sans Mono, Menlo, monospace" font-size="12" role="img">`,
    `<title>${svgText(title, 200)}</title>`,
    `<rect width="${w}" height="${h}" fill="white"/>`,
    ...body,
    '</svg>',
  ].join('\n');
}
