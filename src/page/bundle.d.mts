/** The page's program as one script, and its style. */
export function bundlePage(define: Readonly<Record<string, string>>): Promise<{
  readonly script: string;
  readonly style: string;
  readonly metafile: object;
}>;
