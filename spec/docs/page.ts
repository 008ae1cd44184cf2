/** A page of the documentation: Markdown with a title for the sidebar. */

export interface Page {
  /** The file's name, without folder: a title's letters and digits. */
  readonly file: string;
  readonly title: string;
  /** Markdown without front matter; begins with a heading. */
  readonly text: string;
}

/** `N[X]` as `n-x.md` */
export function fileOf(title: string): string {
  return `${title
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')}.md`;
}

/**
 * A link to another page. Brackets of the title as entities: typedoc takes no nested ones in a link's text.
 */
export function linkTo(title: string): string {
  return `[${title.replaceAll('[', '&#91;').replaceAll(']', '&#93;')}](./${fileOf(title)})`;
}

/** The page as a document of typedoc. @param group what the sidebar puts it under */
export function withFrontMatter({ title, text }: Page, group: string): string {
  return `---\ntitle: ${JSON.stringify(title)}\ngroup: ${JSON.stringify(group)}\n---\n\n${text.trimEnd()}\n`;
}

/** A Markdown table; cells are code spans where `code` says so. */
export function markdownTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

/** Text as code that may stand in a table's cell. */
export function code(text: string): string {
  return `\`${text.replaceAll('|', '\\|')}\``;
}
