/** Words for the state reasons, which are keywords. Has no imports, because the dashboard loads it. */

/** Keywords whose words are not their own parts. */
const WORDS: Record<string, string> = {
  'agent-lost': 'computer offline for too long',
  'agent-superseded': 'second agent with the same credential',
  'completion-unconfirmed': 'end not confirmed by the printer',
  'connecting-to-device': 'device cannot be reached',
  'content-outside-page': 'content outside of the page',
  'cover-open': 'cover open',
  'device-paused': 'paused at the device',
  'device-not-answering': 'printer does not answer',
  'destination-deleted': 'destination deleted',
  'document-not-downloaded': 'computer cannot download the document',
  'document-format-error': 'document cannot be printed',
  'document-format-not-supported': 'format not supported by the printer',
  'documents-limit': 'waits for the documents of earlier jobs',
  'fetch-failed': 'document could not be fetched',
  'fetch-timeout': 'document could not be fetched in time',
  'font-not-embedded': 'font missing in the document',
  'layers-uncertain': 'layers can be missing or printed in error',
  'page-scaled': 'page made smaller than the document',
  'job-aborted-by-system': 'aborted by the print queue',
  'job-canceled-at-device': 'cancelled at the printer',
  'job-canceled-by-user': 'removed from the print queue',
  'job-refused-by-system': 'refused by the print queue',
  'media-empty': 'out of paper',
  'media-jam': 'paper jam',
  'media-needed': 'needs paper',
  'marker-supply-empty': 'out of ribbon, ink or toner',
  'option-ignored': 'option ignored',
  'page-ranges-not-in-document': 'pages not in the document',
  purged: 'removed with all jobs of the printer',
  'printer-stopped': 'printer stopped',
  'spooler-timeout': 'not finished in time',
  'toner-empty': 'out of toner',
  unconfirmed: 'printed or not is unknown',
}

/** "media-empty-error" is IPP for "media-empty" with a severity. */
const SEVERITY = /-(error|warning|report)$/

/** The words for a state reason: "out of paper". */
export function toWords(keyword: string): string {
  const bare = keyword.replace(SEVERITY, '')
  return WORDS[bare] ?? WORDS[keyword] ?? bare.replaceAll('-', ' ')
}
