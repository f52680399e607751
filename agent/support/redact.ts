/**
 * Removes tokens, credentials, keys with any prefix, webhook secrets, and passwords in URLs, also those that contain
 * `@`. The collected fields should not contain any; this is a second safeguard.
 */
export function redact(text: string): string {
  return text
    .replaceAll(/\b(platen_(?:agent|enroll|live|test))_[\w-]+/g, '$1_[removed]')
    .replaceAll(/\b([a-z]\w*_(?:live|test))_[A-Za-z0-9]{20,}/gi, '$1_[removed]')
    .replaceAll(/\bwhsec_[\w+/=-]+/g, 'whsec_[removed]')
    .replaceAll(/\b([a-z][a-z0-9+.-]*:\/\/)[^\s/"'\\]*@/gi, '$1[removed]@')
    .replaceAll(/\b(Bearer|Basic)\s+[\w+/=.-]+/gi, '$1 [removed]')
}
