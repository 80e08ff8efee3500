// Made by generate.py: random pipelines, as literals and at run time.

#include "random_passes.hpp"

TEST_CASE("pipeline: random texts mean the same as literals and at run time, seed 1", "[pipeline][random]") {
    using random_pipelines::check;
    check<"V", 1>({.level = 1, .disabled = {"V"}, .required = {}, .refused = ""});
    check<
        "seq(repeat(A, U, N{lists.lists=[\"b c\"]})), D, fixpoint{limit=2}(N{\"by_name.a\" =9,lists.by_name\n=[\"b c\",\"]\"]},\npart(PB))",
        -1>({.level = 3, .disabled = {}, .required = {}, .refused = ""});
    check<
        "part(repeat{times=3}(PO{wide=1e+2,\"small\" =79,count =8,\"word\"\n= \"\"},PO{flag=False,narrow= 1e10,wide=-0.125,count = 6})),seq(B, fixpoint{limit=3}(E))",
        -1>({.level = 4, .disabled = {"PO"}, .required = {"E"}, .refused = ""});
    check<
        "N{lists.x=[\"]\",\"\"],lists.by_name=\n[\"]\"]},\nseq[sequential](N{nn.conv2d=-1,c=\n4,words=\n[\"\",\"\"]}, A, E)",
        -1>({.level = 2, .disabled = {}, .required = {"E"}, .refused = ""});
    check<"A,resolved(seq(N{b=2}))", -1>({.level = 3, .disabled = {"PT"}, .required = {}, .refused = ""});
    check<"T", -1>({.level = 1, .disabled = {"T"}, .required = {"T"}, .refused = ""});
    check<"part(PB,PT,PO{narrow=1,flag =\nFalse}),\nO{}", -1>(
        {.level = 3, .disabled = {}, .required = {}, .refused = ""});
    check<"only_if[short](O{},T),part(PC)", -1>({.level = 2, .disabled = {"O"}, .required = {"O"}, .refused = ""});
    check<"part(PB),resolved(E, O{word\n=\"\",flag=\nFalse})", -1>(
        {.level = 3, .disabled = {"PB"}, .required = {}, .refused = ""});
    check<"O{word=\"x,y\",small=-83,\"flag\"=False,\"wide\"=0}", -1>(
        {.level = 4, .disabled = {}, .required = {}, .refused = ""});
    check<"part(PO{wide =inf})", -1>({.level = 2, .disabled = {}, .required = {}, .refused = "PO"});
    check<"repeat(C,repeat{times=1}(E, C),resolved(N{c\n=4,by_name.words=\n3,\"lists.lists\"= [\"]\",\"]\"]})),T", -1>(
        {.level = 0, .disabled = {}, .required = {}, .refused = ""});
    check<"part(PO{wide =.5,narrow= -2.5})", -1>({.level = 3, .disabled = {}, .required = {}, .refused = ""});
    check<"twice(O{\"large\" =\n9223372036854775808,colour=2}),part(T,\nPD,\nPT)", -1>(
        {.level = 4, .disabled = {}, .required = {}, .refused = ""});
    check<"part(T),N{lists.lists= [],nn.conv2d\n=-1}", -1>(
        {.level = 0, .disabled = {}, .required = {"PA"}, .refused = ""});
    check<"resolved(T,part(piece(QC)))", -1>({.level = 4, .disabled = {"QC"}, .required = {}, .refused = ""});
    check<"part(PB)", -1>({.level = 2, .disabled = {}, .required = {"QD"}, .refused = ""});
    check<"seq(E,B),seq[x](B,O{narrow= -2.5,large=\n18446744073709551615},T)", -1>(
        {.level = 2, .disabled = {}, .required = {}, .refused = ""});
    check<"only_if[short](part(PO{wide= 1e22,small= -127,word =10,flag\n=\nTrue}, PD))", -1>(
        {.level = 2, .disabled = {}, .required = {}, .refused = ""});
    check<
        "only_if[short](part(piece(QC))),\ntwice(seq(resolved(O{large=0,narrow =\n-2.5},V,O{colour =\n\"light one\",count=8,flag =True,narrow =\n1})))",
        -1>({.level = 2, .disabled = {}, .required = {}, .refused = "part"});
    check<"N{\"numbers\"\n=[5,7]},C", 2>({.level = 2, .disabled = {}, .required = {"piece"}, .refused = ""});
    check<"U,B", -1>({.level = 0, .disabled = {}, .required = {"B"}, .refused = "T"});
    check<"fixpoint{limit=3}(V),C,resolved(N{\"lists.by_name\"=[],lists.x=[\"b c\",\"\",\"]\"]},N{by_name=[]})", -1>(
        {.level = 4, .disabled = {"N"}, .required = {"V"}, .refused = ""});
    check<"C", -1>({.level = 0, .disabled = {}, .required = {"B"}, .refused = ""});
    check<"D,\nonly_if[short](resolved[\"[1]\"](part(PT)))", -1>(
        {.level = 4, .disabled = {}, .required = {}, .refused = ""});
    check<"seq[A](part(seq[x,3](T,PT))),\nE", -1>({.level = 2, .disabled = {"T"}, .required = {"PT"}, .refused = ""});
    check<"seq(O{large =0,flag= True,wide=\n1,narrow= -2.5},B),resolved(T, U, E)", -1>(
        {.level = 2, .disabled = {}, .required = {}, .refused = ""});
    check<"N{by_name=[],lists.x=[]}", -1>({.level = 2, .disabled = {}, .required = {}, .refused = ""});
    check<"V", -1>({.level = 2, .disabled = {}, .required = {}, .refused = ""});
    check<"part(repeat{times=0}(PB)),resolved(part(PA,piece(QB),only_if[short](T)),resolved(repeat{times=0}(E,U,D)))",
          -1>({.level = 3, .disabled = {}, .required = {}, .refused = ""});
    check<"V,E,part(repeat{times=1}(PD, PT))", -1>({.level = 3, .disabled = {"N"}, .required = {}, .refused = ""});
    check<"only_if[short](T,U),part(PA,PA,PO{})", -1>({.level = 2, .disabled = {}, .required = {}, .refused = ""});
    check<"twice{again=False}(C),repeat{times=0}(E),fixpoint{limit=2}(V,D)", -1>(
        {.level = 3, .disabled = {}, .required = {"D"}, .refused = ""});
    check<"seq[seq,1](O),repeat(O{count=\n1,flag\n=\nTrue,small=\n101})", -1>(
        {.level = 3, .disabled = {}, .required = {"seq"}, .refused = ""});
    check<"resolved[\"a b\",4](O{small=49},\nN{nn.conv2d=-1}),fixpoint{limit=2}(D)", -1>(
        {.level = 4, .disabled = {}, .required = {"T"}, .refused = ""});
    check<"V,fixpoint{limit=0}(O{word= a\\b},D)", -1>({.level = 3, .disabled = {"O"}, .required = {}, .refused = ""});
    check<"O,resolved(seq(D,N{lists=[x],numbers=[]}),B,seq[D,0](part(PC),O{\"count\"\n=\n3,flag=True}))", -1>(
        {.level = 4, .disabled = {}, .required = {}, .refused = ""});
    check<"part(PB, PD),A", -1>({.level = 4, .disabled = {"PB"}, .required = {}, .refused = ""});
    check<"part(PT,\nT),part(PB,PA,PT)", -1>({.level = 1, .disabled = {}, .required = {}, .refused = ""});
    check<"U,only_if[short](E,E)", -1>({.level = 4, .disabled = {}, .required = {}, .refused = ""});
    check<"seq(U,\nE),only_if[short](B,V)", 0>({.level = 0, .disabled = {}, .required = {}, .refused = "B"});
    check<"O{word =a,wide=-INF}, N{lists.lists= [\"]\",\"]\",\"b c\"],lists.by_name=[\"\"]}", -1>(
        {.level = 0, .disabled = {}, .required = {"B"}, .refused = ""});
    check<
        "seq(resolved(repeat{times=0}(V,\nT))),part(piece(resolved[sequential,0](QC,QB),QA)),seq(resolved(only_if[short](T,N{\"by_name.a\"=9},U)),\npart(resolved(PA, PB, PD)),\nseq(V))",
        -1>({.level = 1, .disabled = {}, .required = {"QA"}, .refused = ""});
    check<"part(piece(QB,QD),\nresolved(PT)),\nC", -1>({.level = 0, .disabled = {}, .required = {}, .refused = ""});
    check<"U,V", -1>({.level = 2, .disabled = {"U"}, .required = {}, .refused = "U"});
    check<"resolved(N{b=2},\nN{lists.lists = [],\"words\"=[\"\",\"]\"],by_name.words=3}), C", -1>(
        {.level = 2, .disabled = {"N"}, .required = {"N"}, .refused = ""});
    check<"part(PT,PA), T", -1>({.level = 0, .disabled = {"T"}, .required = {}, .refused = ""});
    check<"seq(), only_if[short](N{lists\n=[],by_name.a\n=9,c = 4},D)", -1>(
        {.level = 3, .disabled = {"N"}, .required = {"D"}, .refused = ""});
    check<"twice(T, D, B)", -1>({.level = 0, .disabled = {}, .required = {}, .refused = ""});
    check<"part(PB), O{}", -1>({.level = 4, .disabled = {"O"}, .required = {}, .refused = ""});
    check<"seq(U,O{narrow= inf,large=9223372036854775808,flag = False,small =84}),O,O", -1>(
        {.level = 2, .disabled = {}, .required = {"U"}, .refused = ""});
    check<"seq(C, repeat{times=0}(O{},T))", -1>({.level = 2, .disabled = {}, .required = {}, .refused = ""});
    check<"part(piece(QB)),fixpoint(D,\nN{nn.conv2d= -1,lists=[x]},\nresolved[part,2](A))", -1>(
        {.level = 4, .disabled = {}, .required = {}, .refused = ""});
    check<"part(PD,PB,PO{}),repeat{times=1}(A,V,A)", -1>(
        {.level = 4, .disabled = {"PB"}, .required = {}, .refused = ""});
    check<
        "resolved[\"a b\",4](B,\nD),resolved(O{small=\n93,colour =2,large=18446744073709551615},O{\"word\"= True,narrow =0.1,small= 4,wide= -INF})",
        -1>({.level = 3, .disabled = {}, .required = {"a b"}, .refused = ""});
    check<"part(T,PA),A,O{}", -1>({.level = 2, .disabled = {}, .required = {}, .refused = "PA"});
    check<"B,\npart(PD,PT,PC)", -1>({.level = 4, .disabled = {}, .required = {}, .refused = "PC"});
    check<"part(),only_if[short](O{large=7},O{narrow=16777216})", -1>(
        {.level = 3, .disabled = {}, .required = {}, .refused = ""});
    check<"part(PT,T),O{wide=\n1E-3,colour= 2}", -1>(
        {.level = 1, .disabled = {"PT"}, .required = {"O"}, .refused = ""});
    check<"only_if[short](A),O{small= -20,wide=123456.75}", -1>(
        {.level = 1, .disabled = {"O"}, .required = {}, .refused = ""});
}
