import { useId } from 'react';
import { TextInput, type TextInputProps } from '../../../page-kit/components/text-input.tsx';
import { OutsideText } from '../../../page-kit/outside-text/outside-text.tsx';
import { texts } from '../../texts/texts.ts';
import type { Server } from '../related/servers.ts';
import {
  type ChosenServer,
  type NewPartner,
  type NewPartnerTexts,
  usualContractName,
  usualFilesName,
} from './new-partner.ts';
import type { PartnerFaults } from './partner-faults.ts';

const { partners } = texts;

interface FieldsProps {
  readonly given: NewPartner;
  /** All that there are; undefined until they are known. */
  readonly servers: readonly Server[] | undefined;
  readonly faults: PartnerFaults;
  readonly onChange: (change: Partial<NewPartner>) => void;
}

/** What a new partner is created with, and what was refused of it. */
export function NewPartnerFields(props: FieldsProps) {
  const { given, faults, onChange } = props;
  const { actor } = given;
  const field = (name: keyof NewPartnerTexts, label: string, more: Partial<TextInputProps> = {}) => (
    <TextInput
      label={label}
      value={given[name]}
      onChange={(value) => onChange({ [name]: value })}
      isRequired={false}
      fault={faultOf(faults.texts[name])}
      {...more}
    />
  );
  return (
    <>
      {field('actor', partners.actorName, { isRequired: true })}
      {field('user', partners.userName, { hint: partners.usualName(actor) })}
      {field('password', partners.password, { type: 'password', autoComplete: 'new-password' })}
      {field('publicKey', partners.publicKey, { hasLines: true })}
      {field('files', partners.filesName, { hint: partners.usualName(actor && usualFilesName(actor)) })}
      {field('folders', partners.folders, { hasLines: true, hint: partners.foldersHint })}
      <ServerChoice {...props} />
      <ContractNames {...props} />
    </>
  );
}

/** On which servers the partner gets a Connection Contract: one at least. */
function ServerChoice({ given, servers, faults, onChange }: FieldsProps) {
  const id = useId();
  const fault = faultOf(faults.servers);
  if (servers?.length === 0) return <p className="failure">{partners.noServer}</p>;
  return (
    <fieldset className="choices">
      <legend>{partners.servers}</legend>
      {servers?.map((server) => {
        const isChosen = given.servers.some((one) => isSame(one, server));
        return (
          <label key={titleOf(server)}>
            <input
              type="checkbox"
              checked={isChosen}
              required={given.servers.length === 0}
              aria-invalid={fault !== undefined}
              aria-describedby={fault && id}
              onChange={() =>
                onChange({
                  servers: isChosen
                    ? given.servers.filter((one) => !isSame(one, server))
                    : [...given.servers, { cluster: server.cluster, server: server.server, contract: '' }],
                })
              }
            />{' '}
            <OutsideText text={titleOf(server)} /> ({server.protocol})
          </label>
        );
      })}
      {fault !== undefined && (
        <p className="failure" role="alert" id={id}>
          {fault}
        </p>
      )}
    </fieldset>
  );
}

function ContractNames({ given, faults, onChange }: FieldsProps) {
  const { actor, servers } = given;
  return servers.map((chosen, index) => (
    <TextInput
      key={titleOf(chosen)}
      label={partners.contractName(titleOf(chosen))}
      value={chosen.contract}
      onChange={(contract) =>
        onChange({ servers: servers.map((one) => (one === chosen ? { ...one, contract } : one)) })
      }
      isRequired={false}
      hint={partners.usualName(actor && usualContractName(actor, chosen, servers))}
      fault={faultOf(faults.contracts[index])}
    />
  ));
}

/** What is wrong, in the words of the platform, which are English. */
function faultOf(message: string | undefined) {
  return (
    message && (
      <span translate="no">
        <OutsideText text={message} />
      </span>
    )
  );
}

type Place = Pick<ChosenServer, 'cluster' | 'server'>;

function isSame(one: Place, other: Place): boolean {
  return one.cluster === other.cluster && one.server === other.server;
}

function titleOf({ cluster, server }: Place): string {
  return `${cluster} · ${server}`;
}
