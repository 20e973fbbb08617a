use super::*;

const CONLLU: &str = "# newdoc id = d1\r\n# sent_id = s1\n# text = β don't bindet zum SigK.\n# entity = e1 protein 6-7\n\
    # relation = binds e1 s2.e0\n\
    1\tβ\tβ\tNOUN\t_\t_\t4\tnsubj:x\t_\t_\n2-3\tdon't\t_\t_\t_\t_\t_\t_\t_\t_\n2\tdo\tdo\tAUX\t_\t_\t4\t_\t_\t_\n\
    3\tn't\tnot\tPART\t_\t_\t4\tadvmod\t_\t_\n3.1\tx\t_\t_\t_\t_\t_\t_\t_\t_\n4\tbindet\tbinden\tVERB\t_\t_\t0\troot\t_\t_\n\
    5-6\tzum\t_\t_\t_\t_\t_\t_\t_\t_\n5\tzu\tzu\tADP\t_\t_\t7\tcase\t_\t_\n6\tdem\tder\tDET\t_\t_\t7\tdet\t_\t_\n\
    7\tSigK\tSigK\tPROPN\t_\t_\t4\tobl\t_\tSpaceAfter=No\r\n8\t.\t.\tPUNCT\t_\t_\t4\tpunct\t_\t_\n\n\
    # sent_id = s2\n1\tGerE\t_\t_\t_\t_\t_\t_\t_\tNER=B-gene\n2\tgene\t_\tNOUN\t_\t_\t1\tFlat\t_\tNER=I-gene|SpaceAfter=No\n\
    3\t!\t_\t_\t_\t_\t_\t_\t_\tNER=O\n\n# newdoc\n# relation = y z z undirected\n";

#[test]
fn sentences_of_conllu_have_their_tokens() {
    let file = CONLLU.replace("# relation = y z z undirected\n", "");
    let marked = format!("\u{feff}{}", file.replace("\r\n", "\n").replace('\n', "\r\n"));
    let read = corpus(&[("a.conllu", &file)]).unwrap();
    assert_eq!(corpus(&[("a.conllu", &marked)]).unwrap(), read);
    let id = read.documents[1].id.clone();
    assert!(id.starts_with("a.") && id.ends_with(".2"), "{id}");
    assert_eq!(read.documents[1], Document { id, ..Document::default() });
    let found = &read.documents[0];
    assert_eq!(found.text, "β don't bindet zum SigK.\nGerE gene!");
    let words = texts(found, found.tokens.iter().map(|token| &token.range));
    let expected = ["β", "do", "n't", "bindet", "zum", "zum", "SigK", ".", "GerE", "gene", "!"];
    assert_eq!(words, expected);
    let arcs: Vec<_> = found.tokens.iter().map(|token| token.arc.as_ref()).collect();
    let is_arc = |at: usize, head, name: &str| arcs[at] == Some(&(head, name.to_owned()));
    assert!(
        is_arc(0, 3, "nsubj:x") && is_arc(1, 3, "dep") && arcs[3].is_none() && is_arc(9, 8, "flat"),
        "{arcs:?}"
    );
    let (lemma, tag) = (&found.tokens[2].lemma, &found.tokens[2].tag);
    assert_eq!((lemma.as_deref(), tag.as_deref()), (Some("not"), Some("part")));
    assert_eq!(found.tokens[8].lemma, None);
    assert_eq!(texts(found, found.sentences.iter().map(|sentence| &sentence.range))[1], "GerE gene!");
    assert_eq!(entity_texts(found), [["zum SigK"], ["GerE gene"]]);
    assert_eq!(kinds(found), [("binds", ["e1", "s2.e0"], true)]);
}

#[test]
fn conllu_that_does_not_fit_is_told() {
    let cases = [
        ("6-7", "6-9", "G154: the entity e1 stands at no words of the sentence"),
        ("6-7", "7-6", "G154: the entity e1 stands at no words of the sentence"),
        ("protein 6-7", "protein", "G154: this is no entity"),
        ("s2.e0", "s2.e1", "G154: a relation has the end s2.e1"),
        ("binds e1 s2.e0", "binds e1", "G154: this is no relation"),
        ("\t7\tcase", "\t9\tcase", "G154: the head 9 is no word of the sentence"),
        (
            "SigK.\n",
            "SigL.\n",
            "G154: the token SigK is not the next of the text, which goes on as \"SigL.\"",
        ),
        ("SigK.\n", "SigK. It\n", "G154: no token stands for \" It\" at the end of the text"),
        ("B-gene", "I-gene", "G154: the tag I-gene begins and continues no entity"),
        ("B-gene", "(gene", "G154: the tag (gene begins"),
        ("2-3\t", "3-4\t", "G153: 3-4 is not the next word"),
        ("\n8\t", "\n9\t", "G153: 9 is not the next word"),
        ("\tSigK\tSigK", "\tSigK", "G153: a token has 9 fields"),
        ("\n# sent_id = s2", "# sent_id = s2", "G153: a comment stands within a sentence"),
        ("\n# newdoc\n", "\n# text = lost\n", "G153: a sentence has no tokens"),
    ];
    for (from, to, expected) in cases {
        assert!(CONLLU.contains(from), "{from}");
        let found = faults(&[("a.conllu", &CONLLU.replace(from, to))]);
        assert!(found.starts_with(expected), "{from} -> {to}: {found}");
    }
}

#[test]
fn damaged_conllu_is_refused_or_read() {
    survives("a.conllu", CONLLU, &[]);
}
