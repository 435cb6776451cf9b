import { Breadcrumb, Breadcrumbs as AriaBreadcrumbs, Link } from 'react-aria-components';
import { OutsideText } from '../../page-kit/outside-text/outside-text.tsx';
import { texts } from '../texts.ts';

/** The folders from the root to the one that is shown. */
export function Breadcrumbs({ path, onGo }: { readonly path: string; readonly onGo: (path: string) => void }) {
  const names = path.split('/').filter((name) => name !== '');
  const folders = names.map((name, index) => ({ name, path: `/${names.slice(0, index + 1).join('/')}` }));
  return (
    <nav aria-label={texts.folderPath}>
      <AriaBreadcrumbs className="breadcrumbs" aria-label={texts.allFolders} onAction={(key) => onGo(String(key))}>
        <Breadcrumb id="/">
          <Link>{texts.allFolders}</Link>
        </Breadcrumb>
        {folders.map((folder) => (
          <Breadcrumb key={folder.path} id={folder.path}>
            <Link>
              <OutsideText text={folder.name} />
            </Link>
          </Breadcrumb>
        ))}
      </AriaBreadcrumbs>
    </nav>
  );
}
