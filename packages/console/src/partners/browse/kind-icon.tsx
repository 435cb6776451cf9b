/** A picture of a folder or a file; the text beside it says the same. */
export function KindIcon({ isFolder }: { readonly isFolder: boolean }) {
  return (
    <svg className={isFolder ? 'kind folder' : 'kind'} viewBox="0 0 20 20" aria-hidden="true">
      <path d={isFolder ? 'M2 4h6l2 2h8v11H2z' : 'M4 2h8l4 4v12H4zM12 2v4h4'} />
    </svg>
  );
}
