/** What a bug is that the harness can plant; `bugs.ts` has them all. */
export interface PlantedBug {
  /** Kebab-case. */
  name: string
  /** What the code does with the bug in it. */
  wrong: string
  edits: Edit[]
  /** One of these at least must be violated. */
  noticedBy: string[]
}

/** In a source as it stands in the repository: `find`, which is in it exactly once, becomes `replace`. */
export interface Edit {
  /** From the root of the repository. */
  file: string
  find: string
  replace: string
}
